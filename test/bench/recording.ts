import { mongo } from 'mongoose';
import { monitored } from '../support/count-commands.ts';
import { type LoadedServer, startProgram } from './processes.ts';

/** A command that the product sent to the store, in the order of the answers. */
export interface RecordedCommand {
  readonly name: string;
  readonly command: mongo.Document;
  /** Documents inserted or matched, by {@link matchedIn}. */
  readonly matched: number;
  /** Whether it is one of the writes of a `bulkWrite`, which is recorded before them: no command of its own. */
  readonly isPart?: true;
}

/** The writes of a `bulkWrite`, as commands that do the same one by one; inserts into one collection together. */
export function partsOf({ name, command }: RecordedCommand, reply: mongo.Document): RecordedCommand[] {
  if (name !== 'bulkWrite') {
    return [];
  }
  const { ops, nsInfo, bulkWrite: _, errorsOnly: __, ordered: ___, ...session } = command;
  const parts: RecordedCommand[] = [];
  for (const [index, op] of (ops as mongo.Document[]).entries()) {
    const isInsert = 'insert' in op;
    const collection = String(nsInfo[isInsert ? op.insert : op.update].ns).replace(/^[^.]*\./, '');
    const last = parts.at(-1);
    if (isInsert && last?.command.insert === collection) {
      last.command.documents.push(op.document);
      parts[parts.length - 1] = { ...last, matched: last.matched + 1 };
      continue;
    }
    const { filter: q, updateMods: u, multi, upsert } = op;
    const own = isInsert
      ? { insert: collection, documents: [op.document] }
      : { update: collection, updates: [{ q, u, multi, upsert }] };
    const matched = reply.cursor.firstBatch[index].n;
    parts.push({
      name: isInsert ? 'insert' : 'update',
      command: { ...own, ...session },
      matched,
      isPart: true,
    });
  }
  return parts;
}

/** How many documents a command has inserted or matched, by its answer; `findAndModify` has it in a place of its own. */
export function matchedIn({ n, lastErrorObject }: mongo.Document): number {
  return n ?? lastErrorObject?.n ?? 0;
}

/** The product in a process that reports its commands; slower for it, and never measured. */
export interface RecordedServer extends LoadedServer {
  /** The requests that were sent since the last call of this. */
  take(): RecordedCommand[];
}

/** Starts the product with this environment. */
export async function startRecorded(env: Readonly<Record<string, string>>): Promise<RecordedServer> {
  let commands: RecordedCommand[] = [];
  const server = await startProgram({
    args: ['--import', './dist/test/bench/record-commands.js', 'dist/gateway/app/main.js'],
    env: { ...env, MONGODB_URI: monitored(String(env.MONGODB_URI)) },
    readyPath: '/health/ready',
    onMessage: (message) => {
      commands.push(mongo.BSON.EJSON.parse(String(message)) as RecordedCommand);
    },
  });
  return {
    ...server,
    take: () => {
      const taken = commands;
      commands = [];
      return taken;
    },
  };
}

const OF_SESSION = [
  ...['lsid', 'txnNumber', 'autocommit', 'startTransaction', 'readConcern'],
  ...['$clusterTime', '$readPreference', '$db'],
];

/** A command without what ties it to a session and a database, to be sent again. */
export function withoutSession(command: mongo.Document): mongo.Document {
  return Object.fromEntries(Object.entries(command).filter(([field]) => !OF_SESSION.includes(field)));
}
