import type { Box } from '../crypto/box.ts';
import { createBox } from '../crypto/box.ts';

/** A place in the log: everything after `seq` is still to come. */
export interface Position {
  readonly seq: number;
  /** From here on events after `seq` may have been removed. */
  readonly keptUntil: Date;
}

/**
 * Cursors are places in the log, sealed: the number would tell a partner how much all others do, and a made-up one
 * would read from anywhere. Bound to the tenant, good in every process that has the same keys.
 */
export interface Cursors {
  /** 59 URL-safe characters; no two alike, even for one place. */
  encode(tenantId: string, position: Position): string;
  /** @returns undefined for what is no cursor, was changed, or is another tenant's */
  decode(tenantId: string, cursor: string): Position | undefined;
}

const BYTES = 16;
const SHAPE = /^[A-Za-z0-9_-]{59}$/;

/** @param keys the current one, under which cursors are sealed, then those whose cursors still count */
export function createCursors(keys: readonly [Buffer, ...Buffer[]]): Cursors {
  const boxes = keys.map(createBox) as [Box, ...Box[]];
  return {
    encode: (tenantId, position) => encode(boxes[0], tenantId, position),
    decode: (tenantId, cursor) => {
      for (const box of boxes) {
        const position = decode(box, tenantId, cursor);
        if (position) {
          return position;
        }
      }
      return undefined;
    },
  };
}

function encode(box: Box, tenantId: string, { seq, keptUntil }: Position): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeBigUInt64BE(BigInt(seq), 0);
  bytes.writeBigUInt64BE(BigInt(keptUntil.getTime()), 8);
  return box.seal(bytes, contextOf(tenantId)).toString('base64url');
}

function decode(box: Box, tenantId: string, cursor: string): Position | undefined {
  if (!SHAPE.test(cursor)) {
    return undefined;
  }
  let bytes: Buffer;
  try {
    bytes = box.open(Buffer.from(cursor, 'base64url'), contextOf(tenantId));
  } catch {
    // Not sealed by us for this tenant: the caller's mistake, not a fault.
    return undefined;
  }
  return {
    seq: Number(bytes.readBigUInt64BE(0)),
    keptUntil: new Date(Number(bytes.readBigUInt64BE(8))),
  };
}

function contextOf(tenantId: string): string {
  return `${tenantId}|cursor|events`;
}
