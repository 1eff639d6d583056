import { createHash } from 'node:crypto';
import { Decimal } from 'decimal.js';
import type { Model } from 'mongoose';
import { toBuffer } from '../../platform/binary.ts';
import type { BlindIndex } from '../../platform/crypto/blind-index.ts';
import type { Box } from '../../platform/crypto/box.ts';
import { findPlain } from '../../platform/database/plain-reads.ts';
import { shareReads } from '../../platform/database/shared-reads.ts';
import type { UnitOfWork } from '../../platform/database/unit-of-work.ts';
import { canonicalJson } from '../../platform/json/canonical.ts';
import type { Environment } from '../../platform/principal.ts';
import type { CreateCommand } from '../commands/create-request-money.ts';
import type { CreateResult, IdempotencyDocument, MoneyRequest } from './model.ts';
import { unlessThrown } from './unless-thrown.ts';

/** The surface of a create. Two creates of one surface are compared by their bodies, others by their meaning. */
export type CreateSurface = IdempotencyDocument['surface'];

/** The fingerprint by which a retry is recognised. */
export interface Fingerprint {
  tenantId: string;
  environment: Environment;
  key: string;
  surface: CreateSurface;
  bodyHash: string;
  commandHash: string;
}

/** The result for a key: unknown, the result of the same create, or another create. */
export type Recalled = { kind: 'unknown' } | { kind: 'same'; result: CreateResult } | { kind: 'other' };

export interface IdempotencyRepository {
  /** Makes the fingerprint of a create. */
  fingerprint(create: KeyedCreate): Fingerprint;
  recall(fingerprint: Fingerprint): Promise<Recalled>;
  /** The referenceIds of the money requests that were created by this key: one, or none. */
  findByKey(tenantId: string, key: string): Promise<string[]>;
  /** Saves the result in the transaction that makes it. An existing key fails the transaction. */
  keep(fingerprint: Fingerprint, result: CreateResult, unit: UnitOfWork): void;
  /**
   * Updates records of former versions: keys their digests, and removes from their results what no answer needs. Returns how
   * many it changed. @param leave gets the reason when a record stays as it is, because it cannot be opened
   */
  upgrade(signal: AbortSignal, leave: (error: unknown) => void): Promise<number>;
}

/** A create whose retries are to be recognised. */
export interface KeyedCreate {
  tenantId: string;
  environment: Environment;
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
  const lookUp = shareReads((tenantId, keys) => readByKeys(model, tenantId, keys));
  return {
    fingerprint: ({ body, command, ...rest }) => ({
      ...rest,
      bodyHash: keyed(blindIndex, rest.tenantId, hash(body)),
      commandHash: keyed(
        blindIndex,
        rest.tenantId,
        hash({ ...command, amount: new Decimal(command.amount).toFixed() }),
      ),
    }),
    recall: async (wanted) => {
      const found = await lookUp(wanted.tenantId, wanted.key);
      if (!found) {
        return { kind: 'unknown' };
      }
      return isSame({ ...found, ...keyedHashes(blindIndex, wanted.tenantId, found) }, wanted)
        ? { kind: 'same', result: openResult(box, wanted, found) }
        : { kind: 'other' };
    },
    findByKey: async (tenantId, key) => {
      const found = await lookUp(tenantId, key);
      return found ? [openResult(box, { tenantId, key }, found).moneyRequest.referenceId] : [];
    },
    keep: (wanted, result, unit) => {
      const { environment, bodyHash, commandHash, surface } = wanted;
      const document: IdempotencyDocument = {
        _id: idOf(wanted),
        environment,
        bodyHash,
        commandHash,
        surface,
        result: sealResult(box, wanted, result),
        createdAt: result.moneyRequest.createdAt,
      };
      unit.insert(model, [document]);
    },
    upgrade: (signal, leave) => upgrade(deps, signal, leave),
  };
}

async function readByKeys(
  model: Model<IdempotencyDocument>,
  tenantId: string,
  keys: readonly string[],
): Promise<Map<string, IdempotencyDocument>> {
  const found = await findPlain(model, { _id: { $in: keys.map((key) => idOf({ tenantId, key })) } }, {});
  return new Map(found.map((document) => [partsOf(document._id).key, document]));
}

/** It stops after so many unchanged records in a row: a version that leaves nothing to do has written all later ones. */
const UPGRADED_IN_A_ROW = 500;

async function upgrade(
  { model, box, blindIndex }: IdempotencyDeps,
  signal: AbortSignal,
  leave: (error: unknown) => void,
): Promise<number> {
  let upgraded = 0;
  let inARow = 0;
  for await (const found of model.find().sort({ createdAt: 1 }).lean().cursor({ batchSize: 100 })) {
    if (signal.aborted || inARow === UPGRADED_IN_A_ROW) {
      break;
    }
    if (!isPlain(found.bodyHash)) {
      inARow += 1;
      continue;
    }
    const { _id, result } = found;
    const of = partsOf(_id);
    inARow = 0;
    const sealed = unlessThrown(() => sealResult(box, of, openResult(box, of, found)), leave);
    if (sealed) {
      const changes = { ...keyedHashes(blindIndex, of.tenantId, found), result: sealed };
      // Conditional on the values that were read: `encryption rotate` may be sealing the record again.
      const written = await model.updateOne({ _id, result }, { $set: changes });
      upgraded += written.modifiedCount;
    }
  }
  return upgraded;
}

type Hashes = Pick<IdempotencyDocument, 'bodyHash' | 'commandHash'>;

/** The digests of a record. Records of a former version without a key get keyed digests. */
function keyedHashes(blindIndex: BlindIndex, tenantId: string, { bodyHash, commandHash }: Hashes): Hashes {
  return isPlain(bodyHash)
    ? {
        bodyHash: keyed(blindIndex, tenantId, bodyHash),
        commandHash: keyed(blindIndex, tenantId, commandHash),
      }
    : { bodyHash, commandHash };
}

function keyed(blindIndex: BlindIndex, tenantId: string, plain: string): string {
  return blindIndex.digest(tenantId, 'idempotency', plain);
}

function isPlain(digest: string): boolean {
  return /^[0-9a-f]{64}$/.test(digest);
}

/** A create of another environment is never the same: it was screened by another provider. */
function isSame(found: Hashes & Pick<Fingerprint, 'environment' | 'surface'>, wanted: Fingerprint): boolean {
  if (found.environment !== wanted.environment) {
    return false;
  }
  return found.surface === wanted.surface
    ? found.bodyHash === wanted.bodyHash
    : found.commandHash === wanted.commandHash;
}

/** The stored name of the money request is `ask`, because data of earlier versions has it. */
function sealResult(box: Box, of: KeyParts, { moneyRequest, warnings }: CreateResult): Buffer {
  return box.seal(JSON.stringify({ ask: moneyRequest, warnings }), contextOf(of));
}

function openResult(box: Box, of: KeyParts, found: IdempotencyDocument): CreateResult {
  const opened: { ask: MoneyRequest } & Pick<CreateResult, 'warnings'> = JSON.parse(
    box.open(toBuffer(found.result), contextOf(of)).toString(),
  );
  // Former versions stored the whole money request, including card and account numbers.
  const { requestData: _, ...moneyRequest } = opened.ask;
  const { warnings } = opened;
  const times = {
    createdAt: moneyRequest.createdAt,
    updatedAt: moneyRequest.updatedAt,
    expiresAt: moneyRequest.expiresAt,
  };
  const dates = Object.fromEntries(Object.entries(times).map(([name, value]) => [name, new Date(value)]));
  return { moneyRequest: { ...moneyRequest, ...dates }, warnings };
}

/** SHA-256 of the canonical JSON (RFC 8785), which is the same for every order of keys and spelling of numbers. */
function hash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

type KeyParts = Pick<Fingerprint, 'tenantId' | 'key'>;

function idOf({ tenantId, key }: KeyParts): string {
  return `${tenantId}|${key}`;
}

/** The tenant and key of an id: a tenant's id has no `|`. */
function partsOf(id: string): KeyParts {
  const end = id.indexOf('|');
  return { tenantId: id.slice(0, end), key: id.slice(end + 1) };
}

function contextOf({ tenantId, key }: KeyParts): string {
  return `${tenantId}|result|${key}`;
}
