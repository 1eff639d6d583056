import { createHmac } from 'node:crypto';
import { type Connection, type Model, Schema } from 'mongoose';
import { makeCollections } from '../database/indexes.ts';
import { keepWhole } from '../database/shard-keys.ts';
import { createTransactions, type RunTransaction, retryOnConflict } from '../database/transaction.ts';
import { OperatorError } from '../errors/operator-error.ts';

interface KeyFingerprintDocument {
  /** Name of the setting. */
  _id: string;
  fingerprint: string;
}

const schema = new Schema<KeyFingerprintDocument>(
  { _id: { type: String, required: true }, fingerprint: { type: String, required: true } },
  { collection: 'keyFingerprints', versionKey: false },
);
keepWhole(schema, 'two documents');

/**
 * Checks that the secrets are those that the data was written under. With another encryption key nothing sealed opens; with
 * another pepper no API key is known. The first start leaves fingerprints, which reveal nothing about the secrets.
 * @param secrets by setting: the current value, then former ones that data may still be under
 * @returns the fault and its fix; undefined when all is well
 */
export async function checkKeys(
  connection: Connection,
  secrets: Readonly<Record<string, readonly string[]>>,
): Promise<OperatorError | undefined> {
  const model = fingerprintsOf(connection);
  await makeCollections(connection, [model]);
  const transaction = createTransactions(connection);
  const differing: string[] = [];
  for (const [name, [current = '', ...former]] of Object.entries(secrets)) {
    const document = { _id: name, fingerprint: fingerprint(name, current) };
    const kept = await firstFingerprint(model, transaction, document);
    if (![current, ...former].some((secret) => fingerprint(name, secret) === kept)) {
      differing.push(name);
    }
  }
  if (differing.length === 0) {
    return undefined;
  }
  return new OperatorError(
    `The data in this store was written under another ${differing.join(' and another ')}. ` +
      'Start with the former value: it is in the environment of the earlier start, or in its DATA_DIR.',
  );
}

/** Whether a start has left fingerprints: before, {@link checkKeys} would leave those of any secrets. */
export async function hasKeys(connection: Connection): Promise<boolean> {
  return (await fingerprintsOf(connection).findOne({}, { _id: 1 }).lean()) !== null;
}

/** The secrets that data is written under, for {@link checkKeys}. */
export function secretsOf(config: {
  readonly ENCRYPTION_KEY: string;
  readonly ENCRYPTION_KEY_PREVIOUS: readonly string[];
  readonly API_KEY_PEPPER: string;
}): Readonly<Record<string, readonly string[]>> {
  return {
    ENCRYPTION_KEY: [config.ENCRYPTION_KEY, ...config.ENCRYPTION_KEY_PREVIOUS],
    API_KEY_PEPPER: [config.API_KEY_PEPPER],
  };
}

/** Records that all data is under this value of a setting. From then on no process starts with only a former value. */
export async function adoptKey(connection: Connection, name: string, secret: string): Promise<void> {
  const model = fingerprintsOf(connection);
  await model.updateOne({ _id: name }, { fingerprint: fingerprint(name, secret) }, { upsert: true });
}

/** Its collection is made by {@link checkKeys}, before anything else is. */
export function fingerprintsOf(connection: Connection): Model<KeyFingerprintDocument> {
  return connection.model<KeyFingerprintDocument>('KeyFingerprint', schema);
}

function fingerprint(name: string, secret: string): string {
  return createHmac('sha256', secret).update(`remitgraph fingerprint of ${name}`).digest('hex');
}

async function firstFingerprint(
  model: Model<KeyFingerprintDocument>,
  transaction: RunTransaction,
  document: KeyFingerprintDocument,
): Promise<string> {
  return retryOnConflict(() =>
    transaction(async (unit) => {
      const kept = await model.findById(document._id).session(unit.session).lean();
      if (!kept) {
        await model.insertMany([document], { session: unit.session });
      }
      return kept?.fingerprint ?? document.fingerprint;
    }),
  );
}
