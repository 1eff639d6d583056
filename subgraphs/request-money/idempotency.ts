import { createHash } from 'node:crypto';
import { Decimal } from 'decimal.js';
import type { ClientSession, Model } from 'mongoose';
import { toBuffer } from '../platform/binary.ts';
import type { Box } from '../platform/crypto/box.ts';
import { canonicalJson } from '../platform/json/canonical.ts';
import type { CreateCommand } from './body.ts';
import type { CreateResult, IdempotencyDocument } from './model.ts';

const LONGEST_KEY = 255;

/** Where a create came in; REST bodies are compared with each other letter by letter. */
export type CreateSurface = IdempotencyDocument['surface'];

/** What a retry is recognised by. */
export interface Fingerprint {
  tenantId: string;
  key: string;
  surface: CreateSurface;
  bodyHash: string;
  commandHash: string;
}

/** What is known of a key: nothing, the result of the same create, or another create. */
export type Recalled = { kind: 'unknown' } | { kind: 'same'; result: CreateResult } | { kind: 'other' };

export interface IdempotencyStore {
  recall(fingerprint: Fingerprint): Promise<Recalled>;
  /** Stores the result in the transaction that makes it. A key stored already fails the transaction. */
  keep(fingerprint: Fingerprint, result: CreateResult, session: ClientSession): Promise<void>;
}

/** Whether a header value can be a key (decisions, section 3): 1 to 255 characters. */
export function isIdempotencyKey(key: string): boolean {
  return key.length > 0 && key.length <= LONGEST_KEY;
}

export function fingerprint(input: {
  tenantId: string;
  key: string;
  surface: CreateSurface;
  body: unknown;
  command: CreateCommand;
}): Fingerprint {
  const { body, command, ...rest } = input;
  return {
    ...rest,
    bodyHash: hash(body),
    commandHash: hash({ ...command, amount: new Decimal(command.amount).toFixed() }),
  };
}

export function createIdempotencyStore(deps: {
  model: Model<IdempotencyDocument>;
  box: Box;
}): IdempotencyStore {
  return {
    recall: async (wanted) => {
      const found = await deps.model.findById(idOf(wanted)).lean();
      if (!found) {
        return { kind: 'unknown' };
      }
      return isSame(found, wanted)
        ? { kind: 'same', result: openResult(deps.box, wanted, found) }
        : { kind: 'other' };
    },
    keep: async (wanted, result, session) => {
      const { bodyHash, commandHash, surface } = wanted;
      const sealed = deps.box.seal(JSON.stringify(result), contextOf(wanted));
      const document: IdempotencyDocument = {
        _id: idOf(wanted),
        bodyHash,
        commandHash,
        surface,
        result: sealed,
        createdAt: result.ask.createdAt,
      };
      await deps.model.insertMany([document], { session });
    },
  };
}

function isSame(found: IdempotencyDocument, wanted: Fingerprint): boolean {
  return found.surface === wanted.surface
    ? found.bodyHash === wanted.bodyHash
    : found.commandHash === wanted.commandHash;
}

function openResult(box: Box, wanted: Fingerprint, found: IdempotencyDocument): CreateResult {
  const { ask, warnings } = JSON.parse(
    box.open(toBuffer(found.result), contextOf(wanted)).toString(),
  ) as CreateResult;
  const times = { createdAt: ask.createdAt, updatedAt: ask.updatedAt, expiresAt: ask.expiresAt };
  const dates = Object.fromEntries(Object.entries(times).map(([name, value]) => [name, new Date(value)]));
  return { ask: { ...ask, ...dates }, warnings };
}

/** SHA-256 of the canonical JSON (RFC 8785): neither the order of keys counts nor how a number is written. */
function hash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

function idOf({ tenantId, key }: Fingerprint): string {
  return `${tenantId}|${key}`;
}

function contextOf({ tenantId, key }: Fingerprint): string {
  return `${tenantId}|result|${key}`;
}
