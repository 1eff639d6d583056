import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../account.ts';
import { setShardKey } from './shard-keys.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** A claim: the document whose `_id` says that a record of the account has the value, or will have it. */
export interface UniqueValueDocument {
  /** `accountId|kind|value`; neither accounts' ids nor kinds have a `|` in them. */
  _id: string;
}

/** A value that one record of an account has, and no other of its kind may have. */
export interface UniqueValue {
  readonly accountId: AccountId;
  /** The kind of value, such as `operationCode`. */
  readonly kind: string;
  /** An id, a code, or the digest of personal data: it is stored as it is. */
  readonly value: string;
}

/**
 * Values that are unique in an account. A unique index would have to begin with the whole shard key of its collection
 * (SHARDING.md), so a claim document stands for each value instead, and the index of `_id` makes it unique. A claim is written
 * and removed in the transaction of its record, in the same command: a record without its claim, or a claim without its record,
 * never commits, even when the process is killed.
 *
 * Of two transactions that take a value at once, the second conflicts with the first one's document until that has committed.
 * It is then repeated (`RunTransaction`) and ends with a duplicate key error, or it commits when the first one was rolled back.
 */
export interface UniqueValues {
  /**
   * Takes values that must be free. When one is taken, the transaction ends with a duplicate key error (`isDuplicateKey`), and
   * nothing of it is written.
   */
  take(values: readonly UniqueValue[], unit: UnitOfWork): void;
  /** Frees values, for any other record. Has no effect on free ones. */
  release(values: readonly UniqueValue[], unit: UnitOfWork): void;
  /** Whether the value is taken; with `unit` in the caller's transaction. */
  isTaken(value: UniqueValue, unit?: UnitOfWork): Promise<boolean>;
  /** Those of the values that are taken. */
  takenOf(values: readonly UniqueValue[]): Promise<UniqueValue[]>;
}

const schema = new Schema<UniqueValueDocument>(
  { _id: { type: String, required: true } },
  { collection: 'uniqueValues', versionKey: false },
);
setShardKey(schema, ['_id'], 'an id begins with its account, and every statement names it');

/** The collection of the claims of all kinds. */
export function createUniqueValueModel(connection: Connection): Model<UniqueValueDocument> {
  return connection.model<UniqueValueDocument>('UniqueValue', schema);
}

export function createUniqueValues(connection: Connection): UniqueValues {
  const model = createUniqueValueModel(connection);
  return {
    take: (values, unit) =>
      unit.insert(
        model,
        values.map((value) => ({ _id: idOf(value) })),
      ),
    release: (values, unit) => {
      for (const value of values) {
        unit.remove(model, { _id: idOf(value) });
      }
    },
    isTaken: async (value, unit) =>
      (await model.exists({ _id: idOf(value) }).session(unit?.session ?? null)) !== null,
    takenOf: async (values) => {
      const found = await model.find({ _id: { $in: values.map(idOf) } }).lean();
      const ids = new Set(found.map(({ _id }) => _id));
      return values.filter((value) => ids.has(idOf(value)));
    },
  };
}

function idOf({ accountId, kind, value }: UniqueValue): string {
  return `${accountId}|${kind}|${value}`;
}
