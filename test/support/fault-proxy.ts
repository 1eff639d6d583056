import type { Socket } from 'node:net';
import type { mongo } from 'mongoose';
import { type ProxiedStore, proxyStore } from './proxy-store.ts';
import { OP_MSG, readMessages, readSections, toMessage } from './wire.ts';

/** The client's answer when a primary fails at a command. */
export type Fault =
  /** The connection breaks; the command has not come through. */
  | 'reset before'
  /** The command is done, and the connection breaks before its answer is there. */
  | 'reset after'
  /** `NotWritablePrimary`: another member is primary now. */
  | 'not primary'
  /** A statement of a transaction is answered by `TransientTransactionError`. */
  | 'transient'
  /** A commit is done, and answered by `UnknownTransactionCommitResult`. */
  | 'unknown commit'
  /** The command comes through a second later. */
  | 'stall'
  /** A change stream is answered by an error after which it may be resumed. */
  | 'resumable'
  /** `MaxTimeMSExpired`: a read has used up its time. */
  | 'out of time';

export const FAULTS: readonly Fault[] = [
  ...(['reset before', 'reset after', 'not primary', 'transient', 'unknown commit', 'stall'] as const),
];

/** A command on its way to the store. */
export interface Command {
  /** Such as `insert`. */
  readonly name: string;
  /** Collections that it names. */
  readonly collections: readonly string[];
  /** The transaction that it is a statement, the commit or the abort of. */
  readonly transaction: string | undefined;
  /** The time limit that it sets, milliseconds. */
  readonly maxTimeMs: number | undefined;
  /** The fields that the filter of a `find` names. */
  readonly filter: readonly string[];
}

/** A fault that waits for its command. */
interface Armed {
  hasStruck(): boolean;
  /** The commands that counted, until now. */
  readonly seen: readonly Command[];
}

/** The run's store behind a proxy that knows MongoDB's wire protocol. */
export interface FaultProxy extends Pick<ProxiedStore, 'uriOf' | 'close'> {
  /** Lets the fault strike at the nth command, from 1, of those that count; it replaces the one that was armed before. */
  arm(fault: Fault | undefined, nth: number, counts: (command: Command) => boolean): Armed;
}

const STALL_MS = 1_000;
const NOT_PRIMARY = { ok: 0, errmsg: 'not primary', code: 10107, codeName: 'NotWritablePrimary' };

interface State {
  fault: Fault | undefined;
  nth: number;
  counts(command: Command): boolean;
  struck: boolean;
  seen: Command[];
}

/** Starts the proxy before the store of the test run. */
export async function startFaultProxy(): Promise<FaultProxy> {
  let state: State = { fault: undefined, nth: 0, counts: () => false, struck: false, seen: [] };
  const { uriOf, close } = await proxyStore((client, store) => join(client, store, () => state));
  return {
    uriOf,
    arm: (fault, nth, counts) => {
      const armed: State = { fault, nth, counts, struck: false, seen: [] };
      state = armed;
      return { hasStruck: () => armed.struck, seen: armed.seen };
    },
    close,
  };
}

function join(client: Socket, store: Socket, stateOf: () => State): void {
  /** The handling of the answer to a request, by its number. */
  const answers = new Map<number, (answer: Buffer) => void>();
  readMessages(client, (message) => {
    const command = readCommand(message);
    const state = stateOf();
    if (command === undefined || !state.counts(command)) {
      store.write(message);
      return;
    }
    state.seen.push(command);
    if (state.fault === undefined || state.seen.length !== state.nth || !isPossible(state.fault, command)) {
      store.write(message);
      return;
    }
    state.struck = true;
    strike(state.fault, { message, command, client, store, answers });
  });
  readMessages(store, (message) => {
    const answered = message.readInt32LE(8);
    const own = answers.get(answered);
    answers.delete(answered);
    if (own) {
      own(message);
    } else {
      client.write(message);
    }
  });
}

/** Whether a command can fail in this way. */
export function isPossible(fault: Fault, { name, transaction, maxTimeMs }: Command): boolean {
  switch (fault) {
    case 'transient':
      return transaction !== undefined && name !== 'commitTransaction' && name !== 'abortTransaction';
    case 'unknown commit':
      return name === 'commitTransaction';
    case 'resumable':
      return name === 'getMore';
    case 'out of time':
      return maxTimeMs !== undefined;
    default:
      return true;
  }
}

interface Struck {
  readonly message: Buffer;
  readonly command: Command;
  readonly client: Socket;
  readonly store: Socket;
  readonly answers: Map<number, (answer: Buffer) => void>;
}

function strike(fault: Fault, { message, command, client, store, answers }: Struck): void {
  const number = message.readInt32LE(4);
  const answer = (document: mongo.Document) => client.write(toMessage(document, number));
  switch (fault) {
    case 'reset before':
      client.resetAndDestroy();
      return;
    case 'reset after':
      answers.set(number, () => client.resetAndDestroy());
      store.write(message);
      return;
    case 'not primary':
      answer({ ...NOT_PRIMARY, errorLabels: [labelOf(command)] });
      return;
    case 'transient':
      answer({
        ok: 0,
        errmsg: 'conflict',
        code: 112,
        codeName: 'WriteConflict',
        errorLabels: ['TransientTransactionError'],
      });
      return;
    case 'unknown commit':
      answers.set(number, () =>
        answer({ ...NOT_PRIMARY, errorLabels: ['RetryableWriteError', 'UnknownTransactionCommitResult'] }),
      );
      store.write(message);
      return;
    case 'resumable':
      answer({ ...NOT_PRIMARY, errorLabels: ['ResumableChangeStreamError'] });
      return;
    case 'out of time':
      answer({ ok: 0, errmsg: 'operation exceeded time limit', code: 50, codeName: 'MaxTimeMSExpired' });
      return;
    case 'stall':
      setTimeout(() => store.write(message), STALL_MS);
      return;
    default:
      throw new TypeError(`There is no fault ${String(fault satisfies never)}`);
  }
}

function labelOf({ name, transaction }: Command): string {
  return transaction !== undefined && name !== 'commitTransaction'
    ? 'TransientTransactionError'
    : 'RetryableWriteError';
}

/** The command in an `OP_MSG`; undefined for other messages. */
function readCommand(message: Buffer): Command | undefined {
  if (message.readInt32LE(12) !== OP_MSG) {
    return undefined;
  }
  const { body, sequences } = readSections(message);
  const [name = '', value] = Object.entries(body)[0] ?? [];
  const { lsid, txnNumber, autocommit, collection } = body;
  const spaces: unknown = body.nsInfo ?? sequences.get('nsInfo') ?? [];
  const named: unknown[] = [value, collection];
  if (Array.isArray(spaces)) {
    // `database.collection`
    named.push(...spaces.map(({ ns }: { ns: string }) => ns.slice(ns.indexOf('.') + 1)));
  }
  return {
    name,
    collections: named.filter((one): one is string => typeof one === 'string'),
    maxTimeMs: body.maxTimeMS,
    filter: Object.keys(body.filter ?? {}),
    transaction: autocommit === false ? `${lsid.id.toString('hex')} ${String(txnNumber)}` : undefined,
  };
}
