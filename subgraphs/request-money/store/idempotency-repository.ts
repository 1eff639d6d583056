import { createHash } from 'node:crypto';
import { Decimal } from 'decimal.js';
import type { Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { toBuffer } from '../../kernel/binary.ts';
import type { BlindIndex } from '../../kernel/crypto/blind-index.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { findPlain } from '../../kernel/database/plain-reads.ts';
import { shareReads } from '../../kernel/database/shared-reads.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { canonicalJson } from '../../kernel/json/canonical.ts';
import type { CreateCommand } from '../commands/create-request-money.ts';
import type { CreateResult, IdempotencyDocument } from './model.ts';

/** The surface of a create. Two creates of one surface are compared by their bodies, others by their meaning. */
type CreateSurface = IdempotencyDocument['surface'];

/** The fingerprint by which a retry is recognised. */
export interface Fingerprint {
  accountId: AccountId;
  key: string;
  surface: CreateSurface;
  bodyHash: string;
  commandHash: string;
}

/** The result for a key: unknown, the result of the same create, or another create. */
type Recalled = { kind: 'unknown' } | { kind: 'same'; result: CreateResult } | { kind: 'other' };

export interface IdempotencyRepository {
  /** Makes the fingerprint of a create. */
  fingerprint(create: KeyedCreate): Fingerprint;
  recall(fingerprint: Fingerprint, unit?: UnitOfWork): Promise<Recalled>;
  /** The referenceIds of the money requests that were created by this key: one, or none. */
  findByKey(accountId: AccountId, key: string): Promise<string[]>;
  /** Saves the result in the transaction that makes it. An existing key fails the transaction. */
  keep(fingerprint: Fingerprint, result: CreateResult, unit: UnitOfWork): void;
}

/** A create with an idempotency key. */
interface KeyedCreate {
  accountId: AccountId;
  key: string;
  surface: CreateSurface;
  /** The JSON value of the body. */
  body: unknown;
  command: CreateCommand;
}

interface IdempotencyDeps {
  model: Model<IdempotencyDocument>;
  box: Box;
  /** Bodies have card and account numbers: without the key nobody can test numbers. */
  blindIndex: BlindIndex;
}

export function createIdempotencyRepository(deps: IdempotencyDeps): IdempotencyRepository {
  const { model, box, blindIndex } = deps;
  const lookUp = shareReads((accountId, keys) => readByKeys(model, accountId, keys));
  return {
    fingerprint: ({ body, command, ...rest }) => ({
      ...rest,
      bodyHash: keyed(blindIndex, rest.accountId, hash(body)),
      commandHash: keyed(
        blindIndex,
        rest.accountId,
        hash({ ...command, amount: new Decimal(command.amount).toFixed() }),
      ),
    }),
    recall: async (wanted, unit) => {
      const found = await (unit === undefined
        ? lookUp(wanted.accountId, wanted.key)
        : model.findById(idOf(wanted)).session(unit.session).lean());
      if (!found) {
        return { kind: 'unknown' };
      }
      return isSame(found, wanted)
        ? { kind: 'same', result: openResult(box, wanted, found) }
        : { kind: 'other' };
    },
    findByKey: async (accountId, key) => {
      const found = await lookUp(accountId, key);
      return found ? [openResult(box, { accountId, key }, found).moneyRequest.referenceId] : [];
    },
    keep: (wanted, result, unit) => {
      const { bodyHash, commandHash, surface } = wanted;
      const document: IdempotencyDocument = {
        _id: idOf(wanted),
        bodyHash,
        commandHash,
        surface,
        result: sealResult(box, wanted, result),
        createdAt: result.moneyRequest.createdAt,
      };
      unit.insert(model, [document]);
    },
  };
}

async function readByKeys(
  model: Model<IdempotencyDocument>,
  accountId: AccountId,
  keys: readonly string[],
): Promise<Map<string, IdempotencyDocument>> {
  const found = await findPlain(model, { _id: { $in: keys.map((key) => idOf({ accountId, key })) } }, {});
  return new Map(found.map((document) => [keyOf(document._id), document]));
}

function keyed(blindIndex: BlindIndex, accountId: AccountId, plain: string): string {
  return blindIndex.digest(accountId, 'idempotency', plain);
}

function isSame(found: IdempotencyDocument, wanted: Fingerprint): boolean {
  return found.surface === wanted.surface
    ? found.bodyHash === wanted.bodyHash
    : found.commandHash === wanted.commandHash;
}

function sealResult(box: Box, of: KeyParts, result: CreateResult): Buffer {
  return box.seal(JSON.stringify(result), contextOf(of));
}

function openResult(box: Box, of: KeyParts, found: IdempotencyDocument): CreateResult {
  const opened = box.open(toBuffer(found.result), contextOf(of)).toString();
  const { moneyRequest, warnings }: CreateResult = JSON.parse(opened);
  const times = {
    createdAt: new Date(moneyRequest.createdAt),
    updatedAt: new Date(moneyRequest.updatedAt),
    expiresAt: new Date(moneyRequest.expiresAt),
  };
  return { moneyRequest: { ...moneyRequest, ...times }, warnings };
}

/** SHA-256 of the canonical JSON (RFC 8785), which is the same for every order of keys and spelling of numbers. */
function hash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

type KeyParts = Pick<Fingerprint, 'accountId' | 'key'>;

function idOf({ accountId, key }: KeyParts): string {
  return `${accountId}|${key}`;
}

/** The key of an id: an account's id has no `|`. */
function keyOf(id: string): string {
  return id.slice(id.indexOf('|') + 1);
}

function contextOf({ accountId, key }: KeyParts): string {
  return `${accountId}|result|${key}`;
}
