import { randomBytes } from 'node:crypto';
import { mongo } from 'mongoose';
import { matchedIn, type RecordedCommand, withoutSession } from './recording.ts';
import type { BenchDatabase } from './stand.ts';

/** A write of the product: a command to the store, without what ties it to a session. */
interface Write {
  readonly collection: string;
  readonly command: mongo.Document;
  /** Documents that it inserted or matched. */
  readonly matched: number;
}

/** Writes that the product made in one transaction, or a single one outside of any. */
interface Unit {
  readonly isTransaction: boolean;
  readonly writes: readonly Write[];
}

/** The product's writes for one request, to be written again and again under keys of its own. */
export interface Replay {
  /** In order. */
  readonly units: readonly Unit[];
  /** Writes copies. `accepted` is called when the first unit is written. @throws when one matches other than what it did */
  run(accepted: () => void): Promise<void>;
}

/** Writes of processes for themselves, or, as the numbers of events, for many requests at once. */
const BACKGROUND = new Set([
  ...['agendaJobs', 'leases', 'eventHeads', 'eventLog', 'figures'],
  ...['platformSamples', 'processes'],
]);
const WRITES = ['insert', 'update', 'delete', 'findAndModify'] as const;
/**
 * Makes the collections and indexes of the product on another database of its store, for the writes of one request.
 * @param request the request that was sent; the values that differ from `other`, another request, are new in each copy
 */
export async function createReplay(
  product: BenchDatabase,
  copies: BenchDatabase,
  request: readonly RecordedCommand[],
  other: readonly RecordedCommand[],
): Promise<Replay> {
  const units = toUnits(request);
  const uniqueFields = await copyIndexes(product, copies, units);
  const shared = new Set(identities(toUnits(other), uniqueFields));
  const own = identities(units, uniqueFields).filter((identity) => !shared.has(identity));
  const recordedAt = firstDate(units);
  return {
    units,
    run: async (accepted) => {
      const renamed = new Map(own.map((identity) => [identity, sameLength(identity)]));
      const copy = copier(renamed, Date.now() - recordedAt);
      for (const [index, unit] of units.entries()) {
        await write(copies, unit, copy);
        if (index === 0) {
          accepted();
        }
      }
    },
  };
}

/** Transactions that were not committed wrote nothing, and are left out. */
function toUnits(commands: readonly RecordedCommand[]): Unit[] {
  const transactionOf = ({ command: { lsid, txnNumber, autocommit } }: RecordedCommand) =>
    autocommit === false ? `${JSON.stringify(lsid)} ${txnNumber}` : undefined;
  const committed = new Set(commands.filter(({ name }) => name === 'commitTransaction').map(transactionOf));
  const units = new Map<unknown, Write[]>();
  for (const recorded of commands) {
    const transaction = transactionOf(recorded);
    const isKept = transaction === undefined || committed.has(transaction);
    if (isKept && (WRITES as readonly string[]).includes(recorded.name)) {
      const unit = units.get(transaction ?? recorded) ?? [];
      unit.push(toWrite(recorded, transaction !== undefined));
      units.set(transaction ?? recorded, unit);
    }
  }
  return [...units]
    .map(([key, writes]) => ({ isTransaction: typeof key === 'string', writes }))
    .filter(({ writes }) => !writes.some(({ collection }) => BACKGROUND.has(collection)));
}

function toWrite(recorded: RecordedCommand, inTransaction: boolean): Write {
  const { writeConcern, ...command } = withoutSession(recorded.command);
  return {
    collection: String(command[recorded.name]),
    command: inTransaction || writeConcern === undefined ? command : { ...command, writeConcern },
    matched: recorded.matched,
  };
}

/** @returns the fields of unique indexes by collection, `_id` among them */
async function copyIndexes(
  product: BenchDatabase,
  copies: BenchDatabase,
  units: readonly Unit[],
): Promise<Map<string, string[]>> {
  const written = new Set(units.flatMap(({ writes }) => writes.map(({ collection }) => collection)));
  const uniqueFields = new Map<string, string[]>();
  for (const name of written) {
    await copies.connection.createCollection(name);
    const indexes = await product.connection.collection(name).indexes();
    for (const { v: _, key, ...options } of indexes.filter((index) => index.name !== '_id_')) {
      await copies.connection.collection(name).createIndex(key as mongo.IndexSpecification, options);
    }
    const unique = indexes.filter((index) => index.unique === true);
    uniqueFields.set(name, ['_id', ...unique.flatMap(({ key }) => Object.keys(key))]);
  }
  return uniqueFields;
}

/** Whatever makes inserted documents unique: texts, in their parts (`tenant|id`), and object ids. */
function identities(units: readonly Unit[], uniqueFields: ReadonlyMap<string, string[]>): string[] {
  const values = units
    .flatMap(({ writes }) => writes)
    .flatMap(({ collection, command }) => {
      const fields = uniqueFields.get(collection) ?? ['_id'];
      const documents: readonly mongo.Document[] = command.documents ?? [];
      return documents.flatMap((document) => fields.map((field) => document[field]));
    });
  const texts = values.flatMap((value) => (typeof value === 'string' ? value.split(SEPARATOR) : []));
  const ids = values.flatMap((value) => (value instanceof mongo.ObjectId ? [value.toHexString()] : []));
  return [...new Set([...texts, ...ids])];
}

const SEPARATOR = /([|:])/;

function sameLength(text: string): string {
  return randomBytes(text.length).toString('base64url').slice(0, text.length);
}

/** Copies a value, identities renamed, times moved on. */
function copier(renamed: ReadonlyMap<string, string>, laterMs: number): <Value>(value: Value) => Value {
  const ids = new Map<string, mongo.ObjectId>();
  const idFor = (hex: string) => {
    const id = ids.get(hex) ?? new mongo.ObjectId();
    ids.set(hex, id);
    return id;
  };
  const copy = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return value
        .split(SEPARATOR)
        .map((part) => renamed.get(part) ?? part)
        .join('');
    }
    if (value instanceof Date) {
      return new Date(value.getTime() + laterMs);
    }
    if (value instanceof mongo.ObjectId) {
      return renamed.has(value.toHexString()) ? idFor(value.toHexString()) : value;
    }
    if (Array.isArray(value)) {
      return value.map(copy);
    }
    const isPlain = typeof value === 'object' && value !== null && !('_bsontype' in value);
    return isPlain
      ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, copy(field)]))
      : value;
  };
  return copy as <Value>(value: Value) => Value;
}

/** When the first document was made, milliseconds. */
function firstDate(units: readonly Unit[]): number {
  const documents = units.flatMap(({ writes }) => writes.flatMap(({ command }) => command.documents ?? []));
  const dates = documents.map(({ createdAt }) => createdAt).filter((at) => at instanceof Date);
  return dates[0]?.getTime() ?? Number.NaN;
}

async function write(
  { connection }: BenchDatabase,
  { isTransaction, writes }: Unit,
  copy: <Value>(value: Value) => Value,
): Promise<void> {
  const copied = writes.map((one) => ({ ...one, command: copy(one.command) }));
  const send = async (session?: mongo.ClientSession) => {
    for (const { command, matched } of copied) {
      const reply = await connection.db?.command(command, session ? { session } : {});
      const ours = matchedIn(reply ?? {});
      if (ours !== matched) {
        throw new Error(`A copied write matched ${ours}, not ${matched}: ${JSON.stringify(command)}`);
      }
    }
  };
  if (!isTransaction) {
    return send();
  }
  const options = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } } as const;
  await connection
    .getClient()
    .withSession((session) => session.withTransaction(() => send(session), options));
}
