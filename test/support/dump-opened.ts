import { type Connection, mongo } from 'mongoose';
import { SEALED_FIELDS } from '../../gateway/cli/admin/sealed-fields.ts';
import { createKeyring, type Keyring } from '../../subgraphs/kernel/crypto/keyring.ts';

/** A document as it is stored, or a value of it as a key of the server opens it. */
export interface Dumped {
  /** The collection, and the field of an opened value. */
  readonly where: string;
  readonly bytes: Buffer;
}

/**
 * Every document of every collection, and every value that the master key opens. @throws when a sealed value is of no known
 * field, or does not open
 */
export async function dumpOpened(database: Connection, masterKey: string): Promise<Dumped[]> {
  const keyring = createKeyring([Buffer.from(masterKey, 'hex')]);
  const dumped: Dumped[] = [];
  for (const { name } of await database.listCollections()) {
    for (const document of await database.collection(name).find().toArray()) {
      dumped.push({ where: name, bytes: Buffer.from(mongo.BSON.serialize(document)) });
      dumped.push(...openFields(keyring, name, document));
    }
  }
  return dumped;
}

function openFields(keyring: Keyring, collection: string, document: mongo.Document): Dumped[] {
  return Object.entries(document).flatMap(([field, value]) => {
    if (!(value instanceof mongo.Binary && keyring.isCurrent(value.buffer))) {
      return [];
    }
    const where = `${collection}.${field}`;
    const sealed = SEALED_FIELDS.find((one) => one.collection === collection && one.field === field);
    if (!sealed) {
      throw new Error(`${where} is sealed, and nothing says how`);
    }
    return [{ where, bytes: keyring.box(sealed.purpose).open(value.buffer, sealed.context(document)) }];
  });
}
