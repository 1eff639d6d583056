import { createHmac } from 'node:crypto';
import type { AccountId } from '../../kernel/account.ts';
import { type Box, createBox, deriveKey } from '../../kernel/crypto/box.ts';
import { mapNonEmpty } from '../../kernel/objects.ts';

/** A place in the log: the events after `seq` are still to come. */
interface Position {
  readonly seq: number;
  /** From this time on, events after `seq` may be removed. */
  readonly keptUntil: Date;
}

/**
 * Cursors are sealed places in the log. An open number would show a partner the activity of others, and a made-up number would
 * read from anywhere. A cursor is bound to the account, and valid in every process with the same keys.
 */
export interface Cursors {
  /** 59 URL-safe characters, always the same for an account and a place, as long as the current key is the same. */
  encode(accountId: AccountId, position: Position): string;
  /** @returns undefined for what is no cursor, was changed, or is another account's */
  decode(accountId: AccountId, cursor: string): Position | undefined;
}

const BYTES = 16;
const SHAPE = /^[A-Za-z0-9_-]{59}$/;

/**
 * The nonce is made of what is sealed (as in SIV modes, RFC 5297): one place is always one text, and two places never share
 * a nonce but by a chance of 2^-96.
 * @param keys the current one, under which cursors are sealed, then those whose cursors still count
 */
export function createCursors(keys: readonly [Buffer, ...Buffer[]]): Cursors {
  const boxes = mapNonEmpty(keys, (key) => createBox(key));
  const nonceKey = deriveKey(keys[0], 'cursor nonce');
  const sealing = createBox(keys[0], (plaintext, context) =>
    createHmac('sha256', nonceKey).update(plaintext).update(context).digest(),
  );
  return {
    encode: (accountId, position) => encode(sealing, accountId, position),
    decode: (accountId, cursor) => {
      for (const box of boxes) {
        const position = decode(box, accountId, cursor);
        if (position) {
          return position;
        }
      }
      return undefined;
    },
  };
}

function encode(box: Box, accountId: AccountId, { seq, keptUntil }: Position): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeBigUInt64BE(BigInt(seq), 0);
  bytes.writeBigUInt64BE(BigInt(keptUntil.getTime()), 8);
  return box.seal(bytes, contextOf(accountId)).toString('base64url');
}

function decode(box: Box, accountId: AccountId, cursor: string): Position | undefined {
  if (!SHAPE.test(cursor)) {
    return undefined;
  }
  let bytes: Buffer;
  try {
    bytes = box.open(Buffer.from(cursor, 'base64url'), contextOf(accountId));
  } catch {
    // We have not sealed it for this tenant: the caller's mistake, not our error.
    return undefined;
  }
  return {
    seq: Number(bytes.readBigUInt64BE(0)),
    keptUntil: new Date(Number(bytes.readBigUInt64BE(8))),
  };
}

function contextOf(accountId: AccountId): string {
  return `${accountId}|cursor|events`;
}
