import type { ClientSession, Model, QueryFilter, UpdateQuery } from 'mongoose';
import { mongo } from 'mongoose';
import { toDocument } from './document.ts';
import type { SendWrites, Write } from './send-writes.ts';

/** A document to store. Without an id it gets one. Optional fields may be undefined. */
type NewDocument<T> = Optional<Omit<T, '_id'>> & { _id?: T extends { _id: infer Id } ? Id : never };
type Optional<T> = { [Field in keyof T]: undefined extends T[Field] ? T[Field] | undefined : T[Field] };

/** One document to change. */
interface Change<T> {
  /** It has `_id`, so that each write is one look into an index. */
  readonly filter: QueryFilter<T> & { readonly _id: unknown };
  readonly update: UpdateQuery<T> | readonly object[];
  /**
   * Makes the error that ends the transaction when no document matches, because another writer was faster or the caller is
   * wrong. Without it no document has to match.
   */
  readonly otherwise?: () => Error;
}

/** Documents to change, all of them or none. */
interface ChangeMany<T> extends Required<Change<T>> {
  readonly expected: number;
}

/**
 * The reads and writes of one transaction. Writes are kept until the work is done and then sent together, in the order in
 * which they were added; all of them happen or none. So within the work nothing that it has added can be read, and nothing
 * is known yet of what matches or exists: a change says itself what it means when it finds nothing, and a duplicate key is
 * an error of the whole transaction.
 *
 * Documents are stored as they are given: without the schema's defaults, without fields that are undefined.
 */
export interface UnitOfWork {
  /** Session for reads. The first read takes the snapshot that all of them see. */
  readonly session: ClientSession;
  insert<T>(model: Model<T>, documents: readonly NewDocument<T>[]): void;
  /** Changes one document at most. */
  update<T>(model: Model<T>, change: Change<T>): void;
  /** Changes the document, or makes it of the filter and the update. */
  upsert<T>(model: Model<T>, change: Omit<Change<T>, 'otherwise'>): void;
  /** Removes one document, if it is there. */
  remove<T>(model: Model<T>, filter: Change<T>['filter']): void;
  /** Changes all documents that match. There must be `expected` of them. */
  updateMany<T>(model: Model<T>, change: ChangeMany<T>): void;
  /**
   * Sends what was added so far, for work that must know now whether it went through, or read it.
   * @throws the errors that the changes name; a MongoServerError of code 11000 for a duplicate key
   */
  flush(): Promise<void>;
  /** Reads once for each key what the unit needs several times: the snapshot gives the same answer each time. */
  once<T>(key: string, read: (session: ClientSession) => Promise<T>): Promise<T>;
  /**
   * Does this when the caller's work is done, before what is left of its writes is sent: for reads that what is written then
   * depends on. Several are done in the order in which they were added.
   */
  beforeEnd(work: () => Promise<void>): void;
  /**
   * Called when the transaction is over: what it wrote is there, or is not (or nobody knows, after a lost commit). A
   * listener is called once, however often it is added. It returns at once and does not throw.
   */
  onEnd(listener: (committed: boolean) => void): void;
}

/** Adds writes to the transaction of a change that another part of the product makes: both happen or neither. */
export type Alongside = (unit: UnitOfWork) => void;

/** A unit of work, as its transaction sees it. */
export interface OpenUnitOfWork extends UnitOfWork {
  /** Runs the work added by {@link UnitOfWork.beforeEnd}, each once, then sends all writes. */
  finish(): Promise<void>;
  end(committed: boolean): void;
}

/** Begins the transaction of a session at its first use: one that only writes takes no snapshot. */
export type Begin = (kind: 'reading' | 'writing') => void;

/** Makes a unit of work on a session. */
export function createUnitOfWork(session: ClientSession, begin: Begin, send: SendWrites): OpenUnitOfWork {
  return new SessionUnitOfWork(session, begin, send);
}

/** A class: an object that is written with a getter would get a shape of its own in each transaction. */
class SessionUnitOfWork implements OpenUnitOfWork {
  readonly #session: ClientSession;
  readonly #begin: Begin;
  readonly #send: SendWrites;
  #writes: Write[] = [];
  readonly #known = new Map<string, Promise<unknown>>();
  readonly #listeners = new Set<(committed: boolean) => void>();
  #last: (() => Promise<void>)[] = [];

  constructor(session: ClientSession, begin: Begin, send: SendWrites) {
    this.#session = session;
    this.#begin = begin;
    this.#send = send;
  }

  get session(): ClientSession {
    this.#begin('reading');
    return this.#session;
  }

  once<T>(key: string, read: (session: ClientSession) => Promise<T>): Promise<T> {
    const found = this.#known.get(key) ?? read(this.session);
    this.#known.set(key, found);
    // The cast: the caller knows what its key stands for.
    return found as Promise<T>;
  }

  beforeEnd(work: () => Promise<void>): void {
    this.#last.push(work);
  }

  async finish(): Promise<void> {
    const last = this.#last;
    this.#last = [];
    for (const work of last) {
      await work();
    }
    await this.flush();
  }

  onEnd(listener: (committed: boolean) => void): void {
    this.#listeners.add(listener);
  }

  end(committed: boolean): void {
    for (const listener of this.#listeners) {
      listener(committed);
    }
  }

  insert<T>({ collection }: Model<T>, documents: readonly NewDocument<T>[]): void {
    for (const document of documents) {
      // The driver gives a document without an id one, and sets it in what it was given.
      this.#writes.push({
        kind: 'insert',
        collection,
        document: { _id: new mongo.ObjectId(), ...document },
      });
    }
  }

  update<T>({ collection }: Model<T>, change: Change<T>): void {
    const { otherwise } = change;
    this.#writes.push({
      kind: 'update',
      collection,
      ...plain(change),
      ...(otherwise && { expected: 1, otherwise }),
    });
  }

  upsert<T>({ collection }: Model<T>, change: Omit<Change<T>, 'otherwise'>): void {
    this.#writes.push({ kind: 'update', collection, ...plain(change), upsert: true });
  }

  remove<T>({ collection }: Model<T>, filter: Change<T>['filter']): void {
    this.#writes.push({ kind: 'delete', collection, filter: idFirst(filter) });
  }

  updateMany<T>({ collection }: Model<T>, change: ChangeMany<T>): void {
    const { expected, otherwise } = change;
    this.#writes.push({ kind: 'updateMany', collection, ...plain(change), expected, otherwise });
  }

  async flush(): Promise<void> {
    if (this.#writes.length === 0) {
      return;
    }
    const added = this.#writes;
    this.#writes = [];
    this.#begin('writing');
    await this.#send(added, this.#session);
  }
}

/**
 * As the driver takes it: a filter and an update of mongoose are plain documents. `_id` stands first: SecantusDB in Rust takes
 * the index of the field that does, and with `status` first each write read all documents of that status.
 */
function plain<T>({ filter, update }: Change<T>) {
  return { filter: idFirst(filter), update: requireOperators(toDocument(update)) };
}

function idFirst<T>(filter: Change<T>['filter']): mongo.Document {
  const { _id, ...others } = toDocument(filter);
  return { _id, ...others };
}

/** The server would take anything else for the whole new document. */
function requireOperators(update: mongo.Document): mongo.Document {
  const names = Object.keys(update);
  if (!Array.isArray(update) && (names.length === 0 || names.some((name) => !name.startsWith('$')))) {
    throw new TypeError('A change says what to change by operators, such as $set');
  }
  return update;
}
