import type { Connection, mongo } from 'mongoose';
import { type StoredBytes, toBuffer } from '../binary.ts';
import { toDocument } from '../database/document.ts';
import { OperatorError } from '../errors/operator-error.ts';
import { messageOf } from '../errors/thrown.ts';
import type { Box } from './box.ts';
import type { Keyring } from './keyring.ts';

/** A field that {@link Keyring.box} seals. */
export interface SealedField {
  readonly collection: string;
  readonly field: string;
  readonly purpose: string;
  /** The context under which the value of a document is sealed. */
  context(document: Readonly<Record<string, unknown>>): string;
}

/** The progress of a field: values found, and values sealed again. */
export interface Rotated {
  readonly collection: string;
  readonly field: string;
  readonly values: number;
  readonly resealed: number;
}

const BATCH = 500;

/**
 * Seals again, under the current master key, values that a former key has sealed. The product
 * may run meanwhile: each value is replaced only if it has not changed. After an interruption, or a change by a process with
 * the former key, the next run finds the rest.
 * @throws OperatorError when a value opens under none of the keys
 */
export async function reseal(
  connection: Connection,
  keyring: Keyring,
  fields: readonly SealedField[],
): Promise<Rotated[]> {
  const rotated: Rotated[] = [];
  for (const field of fields) {
    rotated.push(await resealField(connection, keyring, field));
  }
  return rotated;
}

async function resealField(connection: Connection, keyring: Keyring, sealed: SealedField): Promise<Rotated> {
  const { collection, field } = sealed;
  const documents = connection.collection(collection);
  let values = 0;
  let resealed = 0;
  let last: unknown;
  for (;;) {
    const found = await documents
      .find(last === undefined ? {} : toDocument({ _id: { $gt: last } }))
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray();
    for (const document of found.filter((one) => one[field] != null)) {
      values += 1;
      resealed += (await resealOne(documents, keyring, sealed, document)) ? 1 : 0;
    }
    last = found.at(-1)?._id;
    if (found.length < BATCH) {
      return { collection, field, values, resealed };
    }
  }
}

async function resealOne(
  documents: mongo.Collection,
  keyring: Keyring,
  { field, purpose, context }: SealedField,
  document: mongo.Document,
): Promise<boolean> {
  const stored: StoredBytes = document[field];
  const before = toBuffer(stored);
  if (keyring.isCurrent(before)) {
    return false;
  }
  const box = keyring.box(purpose);
  const within = context(document);
  const where = `${documents.collectionName}.${field}`;
  const after = box.seal(openOne(box, before, within, where), within);
  const { modifiedCount } = await documents.updateOne(
    { _id: document._id, [field]: document[field] },
    { $set: { [field]: after } },
  );
  return modifiedCount === 1;
}

function openOne(box: Box, sealed: Uint8Array, context: string, place: string): Buffer {
  try {
    return box.open(sealed, context);
  } catch (error) {
    throw new OperatorError(
      `A value of ${place} does not open (${messageOf(error)}). Nothing of it was changed. Name the key that it ` +
        'was sealed under in ENCRYPTION_KEY_PREVIOUS, and run this again.',
    );
  }
}
