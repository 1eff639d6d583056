import { randomBytes } from 'node:crypto';
import { type Connection, mongo } from 'mongoose';

const SAMPLES = 50;
/** Numbers of copies lie above those of all others. */
const ABOVE = 1_000_000;

/** Collections that grow with the use of the product, and that a load has written to. */
const GROWING = [
  'events',
  'idempotencyKeys',
  'moneyRequests',
  'operations',
  'remittances',
  'requestLog',
  'users',
  'webhookAttempts',
  'webhookDeliveries',
];

/**
 * Copies documents of a load until each growing collection has as many. Copies differ in the values that must be
 * unique. No server may run on the database: it would take them for its own work.
 * @param connection has every model
 * @returns the number of copies
 */
export async function fillCollections(connection: Connection, documents: number): Promise<number> {
  let copies = 0;
  for (const model of Object.values(connection.models)) {
    const { name } = model.collection;
    if (GROWING.includes(name)) {
      const uniques = model.schema
        .indexes()
        .filter(([, { unique }]) => unique)
        .map(([keys]) => Object.keys(keys));
      copies += await fill(connection.getClient().db(connection.name).collection(name), uniques, documents);
    }
  }
  return copies;
}

async function fill(
  collection: mongo.Collection<mongo.Document>,
  uniques: readonly (readonly string[])[],
  wanted: number,
): Promise<number> {
  const samples = await collection.find().limit(SAMPLES).toArray();
  const missing = samples.length === 0 ? 0 : Math.max(0, wanted - (await collection.countDocuments()));
  const documents = Array.from({ length: missing }, (_, index) =>
    copyOf(samples[index % samples.length] ?? {}, uniques, index + 1),
  );
  if (documents.length > 0) {
    await collection.insertMany(documents, { ordered: false });
  }
  return documents.length;
}

function copyOf(
  sample: mongo.Document,
  uniques: readonly (readonly string[])[],
  number: number,
): mongo.Document {
  const changed = ['_id', ...uniques.flatMap((fields) => fieldToChange(sample, fields) ?? [])];
  const changes = [...new Set(changed)].map((field) => [field, freshValue(sample[field], number)]);
  return { ...sample, ...Object.fromEntries(changes) };
}

/** The last text of a unique key, else its last field. The sample may have none of them: then a partial index leaves it out. */
function fieldToChange(sample: mongo.Document, fields: readonly string[]): string | undefined {
  const present = fields.filter((field) => sample[field] !== undefined);
  return present.findLast((field) => typeof sample[field] === 'string') ?? present.at(-1);
}

function freshValue(value: unknown, number: number): unknown {
  if (typeof value === 'string') {
    return `${value}~${number}`;
  }
  if (typeof value === 'number') {
    return ABOVE + number;
  }
  return value instanceof mongo.ObjectId ? new mongo.ObjectId() : new mongo.Binary(randomBytes(16));
}
