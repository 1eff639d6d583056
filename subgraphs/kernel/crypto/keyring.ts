import { createHmac } from 'node:crypto';
import { createBoundedCache } from '../bounded-cache.ts';
import { mapNonEmpty } from '../objects.ts';
import { type Box, createBox, deriveKey } from './box.ts';

/** The master keys. The first one seals; former ones still open what they sealed. */
export interface Keyring {
  /**
   * A box with the data key of an account for one purpose. The account is the text before the first `|` of the context
   * (`account|field|id`). Layout: 1 byte 0x01, 4 bytes that name the master key, then as in {@link Box}.
   */
  box(purpose: string): Box;
  /** Derived keys for one purpose without tenants, the current one first. */
  keys(purpose: string): readonly [Buffer, ...Buffer[]];
  /** Whether a sealed value is under the current master key. */
  isCurrent(sealed: Uint8Array): boolean;
}

const FORMAT = 1;
const KEY_ID_BYTES = 4;
const HEADER_BYTES = 1 + KEY_ID_BYTES;
const MOST_DATA_KEYS = 20_000;

interface MasterKey {
  readonly key: Buffer;
  readonly header: Buffer;
}

/** @param masterKeys 32 bytes each; the current one, then those that came before it */
export function createKeyring(masterKeys: readonly [Buffer, ...Buffer[]]): Keyring {
  const masters = mapNonEmpty(masterKeys, toMaster);
  const [current] = masters;
  const boxes = createBoundedCache<Box>(MOST_DATA_KEYS);
  const boxOf = (master: MasterKey, purpose: string, context: string): Box => {
    const tenant = context.slice(0, Math.max(0, context.indexOf('|')));
    const id = `${master.header.toString('hex')}|${purpose}|${tenant}`;
    const known = boxes.get(id);
    if (known) {
      return known;
    }
    const made = createBox(deriveKey(deriveKey(master.key, `tenant:${tenant}`), purpose));
    boxes.set(id, made);
    return made;
  };
  return {
    box: (purpose) => ({
      seal: (plaintext, context) =>
        Buffer.concat([current.header, boxOf(current, purpose, context).seal(plaintext, context)]),
      open: (sealed, context) => {
        const master = masters.find(({ header }) => startsWith(sealed, header));
        if (!master) {
          throw new Error(
            'Sealed under a key that is neither ENCRYPTION_KEY nor among ENCRYPTION_KEY_PREVIOUS',
          );
        }
        return boxOf(master, purpose, context).open(sealed.subarray(HEADER_BYTES), context);
      },
    }),
    keys: (purpose) => mapNonEmpty(masters, ({ key }) => deriveKey(key, purpose)),
    isCurrent: (sealed) => startsWith(sealed, current.header),
  };
}

/** The keyring of hexadecimal settings. */
export function keyringOf(settings: {
  readonly ENCRYPTION_KEY: string;
  readonly ENCRYPTION_KEY_PREVIOUS: readonly string[];
}): Keyring {
  const previous = settings.ENCRYPTION_KEY_PREVIOUS.map((key) => Buffer.from(key, 'hex'));
  return createKeyring([Buffer.from(settings.ENCRYPTION_KEY, 'hex'), ...previous]);
}

function toMaster(key: Buffer): MasterKey {
  const id = createHmac('sha256', key).update('remitgraph:key id').digest().subarray(0, KEY_ID_BYTES);
  return { key, header: Buffer.concat([Buffer.from([FORMAT]), id]) };
}

function startsWith(sealed: Uint8Array, header: Buffer): boolean {
  return header.equals(sealed.subarray(0, HEADER_BYTES));
}
