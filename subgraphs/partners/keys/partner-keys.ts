import type { Model, QueryFilter } from 'mongoose';
import { environmentOf } from '../../kernel/account.ts';
import type { RunTransaction } from '../../kernel/database/transaction.ts';
import type { Alongside, UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { type Failure, fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Logger } from '../../kernel/log/log.ts';
import { PARTNER_SCOPES, type Principal, type Scope } from '../../kernel/principal.ts';
import { endDependents, findEnds, insertKey, MakerEnds } from './dependents.ts';
import { findLabelIssues } from './label.ts';
import type { ApiKeyDocument } from './model.ts';
import { type ApiKey, documentOf, type MadeApiKey, newKey, present } from './record.ts';
import type { ApiKeys } from './service.ts';

/** Of a partner in one environment: keys without an end, and replaced keys that still work. Calls at once may pass it together. */
const MOST_KEYS = 100;
const MOST_LISTED = 2 * MOST_KEYS;
const LONGEST_OVERLAP_MINUTES = 7 * 24 * 60;
/** For the key that makes the call: if the answer with its successor is lost, it can still make another one. */
const SHORTEST_OWN_OVERLAP_MINUTES = 5;
const MINUTE_MS = 60_000;

/** A key that a partner asks for. */
interface PartnerKeyInput {
  readonly scopes: readonly string[];
  readonly label: string;
}

/** The approval of a new key. */
export interface KeyApproval {
  /** Ends the request for approval, in the transaction that makes the key. */
  readonly alongside: Alongside;
  /** The session that asked for the key, besides that of the caller. */
  readonly askedIn: string;
}

export interface RotatedApiKey extends MadeApiKey {
  readonly former: ApiKey;
}

/**
 * A partner's keys, managed by the partner. Keys made in a console session end with the key of the session (`dependents.ts`). A key of one environment sees and changes only keys of that environment, and
 * gives no scope that it does not have. So a sandbox key, or a key with few scopes, never leads to more access.
 */
export interface PartnerKeys {
  /** The partner's 200 newest keys, newest first; those that have ended only if `withEnded`. */
  list(principal: Principal, withEnded: boolean): Promise<ApiKey[]>;
  /** Failures: INVALID_REQUEST for each issue, API_KEY_LIMIT. */
  create(principal: Principal, input: PartnerKeyInput, approval?: KeyApproval): Promise<Result<MadeApiKey>>;
  /**
   * Makes a key with the same scopes and label, and ends the former one after the overlap, with the keys that end with it. All of
   * it happens, or nothing does. A session does not replace the key that it was made from (API_KEY_IN_USE).
   * Failures: INVALID_REQUEST, API_KEY_NOT_FOUND, API_KEY_ENDS, API_KEY_HAS_OTHER_SCOPES, API_KEY_LIMIT.
   */
  rotate(
    principal: Principal,
    keyId: string,
    overlapMinutes: number,
    approval?: KeyApproval,
  ): Promise<Result<RotatedApiKey>>;
  /**
   * Ends a key now, and the keys that end with it. Doing it again keeps the first time. Failures: API_KEY_NOT_FOUND; API_KEY_IN_USE for the key that makes
   * the call.
   */
  revoke(principal: Principal, keyId: string): Promise<Result<ApiKey>>;
}

interface PartnerKeysDeps {
  model: Model<ApiKeyDocument>;
  /** Secret that the hashes are keyed with. */
  pepper: string;
  apiKeys: Pick<ApiKeys, 'forget' | 'revoke'>;
  transaction: RunTransaction;
  log: Logger;
  clock(): Date;
}

export function createPartnerKeys(deps: PartnerKeysDeps): PartnerKeys {
  return {
    list: (principal, withEnded) => listKeys(deps, principal, withEnded),
    create: (...args) => createKey(deps, ...args),
    rotate: (...args) => rotateKey(deps, ...args),
    revoke: (principal, keyId) => revokeKey(deps, principal, keyId),
  };
}

async function listKeys(
  { model, clock }: PartnerKeysDeps,
  { accountId }: Principal,
  withEnded: boolean,
): Promise<ApiKey[]> {
  const stored = await model
    .find({ accountId, ...(withEnded ? {} : { $or: [ENDLESS, ending(clock())] }) })
    .sort({ createdAt: -1, _id: -1 })
    .limit(MOST_LISTED)
    .lean();
  return stored.map(present);
}

// The condition of `hasEnded`, for the database: a partner may have replaced any number of keys, which all stay stored.
const ENDLESS = { revokedAt: { $exists: false }, endsAt: { $exists: false } };
const ending = (at: Date) => ({ revokedAt: { $exists: false }, endsAt: { $gt: at } });

/** Whether a partner has as many keys of a kind as it may have. */
async function hasMost(
  { model }: PartnerKeysDeps,
  { accountId }: Principal,
  kind: QueryFilter<ApiKeyDocument>,
): Promise<boolean> {
  return (await model.countDocuments({ accountId, ...kind })) >= MOST_KEYS;
}

async function createKey(
  deps: PartnerKeysDeps,
  principal: Principal,
  { scopes, label }: PartnerKeyInput,
  approval?: KeyApproval,
): Promise<Result<MadeApiKey>> {
  const failures = [...findScopeIssues(scopes, principal), ...findLabelIssues(label)];
  if (failures.length > 0) {
    return { ok: false, failures };
  }
  if (await hasMost(deps, principal, ENDLESS)) {
    return fail('API_KEY_LIMIT');
  }
  const ends = await findEnds(deps.model, principal, deps.clock());
  if (!ends) {
    return fail('API_KEY_ENDS');
  }
  const { accountId } = principal;
  const key = newKey(environmentOf(accountId));
  const wanted = PARTNER_SCOPES.filter((scope) => scopes.includes(scope));
  const madeIn = madeInOf(ends, approval);
  const document = documentOf(deps.pepper, key, { accountId, label, scopes: wanted, ...ends, madeIn });
  const isMade = await makeKey(deps, (unit) => {
    insertKey(unit, deps.model, document);
    approval?.alongside(unit);
  });
  if (!isMade) {
    return fail('API_KEY_ENDS');
  }
  note(deps, principal, 'apiKey.created', { madeKeyId: document._id, scopes: wanted });
  return succeed({ key, apiKey: present(document) });
}

function madeInOf({ madeIn }: { readonly madeIn: readonly string[] }, approval?: KeyApproval): string[] {
  return [...new Set([...madeIn, ...(approval ? [approval.askedIn] : [])])];
}

function findScopeIssues(wanted: readonly string[], principal: Principal): Failure[] {
  const allowed: readonly string[] = PARTNER_SCOPES.filter((scope) => principal.scopes.includes(scope));
  if (!wanted.includes('partner')) {
    return [invalid('scopes must name partner: without it a key may not call anything.', 'scopes')];
  }
  return wanted.every((scope) => allowed.includes(scope))
    ? []
    : [invalid(`scopes may name those of the calling key: ${allowed.join(', ')}.`, 'scopes')];
}

/** Runs the transaction that makes a key. Answers false when a key that it needs has ended meanwhile. */
async function makeKey(
  { transaction }: PartnerKeysDeps,
  work: (unit: UnitOfWork) => void | Promise<void>,
): Promise<boolean> {
  try {
    await transaction(async (unit) => work(unit));
    return true;
  } catch (error) {
    if (error instanceof MakerEnds) {
      return false;
    }
    throw error;
  }
}

async function rotateKey(
  deps: PartnerKeysDeps,
  principal: Principal,
  keyId: string,
  overlapMinutes: number,
  approval?: KeyApproval,
): Promise<Result<RotatedApiKey>> {
  if (keyId === principal.keyId && principal.consoleSession) {
    return fail('API_KEY_IN_USE');
  }
  const shortest = keyId === principal.keyId ? SHORTEST_OWN_OVERLAP_MINUTES : 0;
  if (
    !Number.isInteger(overlapMinutes) ||
    overlapMinutes < shortest ||
    overlapMinutes > LONGEST_OVERLAP_MINUTES
  ) {
    const bounds = `from ${shortest} to ${LONGEST_OVERLAP_MINUTES}`;
    return {
      ok: false,
      failures: [invalid(`overlapMinutes must be a whole number ${bounds}.`, 'overlapMinutes')],
    };
  }
  const former = await findKey(deps, principal, keyId);
  if (!former) {
    return fail('API_KEY_NOT_FOUND');
  }
  if (former.scopes.some((scope: Scope) => !principal.scopes.includes(scope))) {
    return fail('API_KEY_HAS_OTHER_SCOPES');
  }
  if (await hasMost(deps, principal, ending(deps.clock()))) {
    return fail('API_KEY_LIMIT');
  }
  return replaceKey(deps, principal, former, { overlapMinutes, approval });
}

async function replaceKey(
  deps: PartnerKeysDeps,
  principal: Principal,
  former: ApiKeyDocument,
  { overlapMinutes, approval }: { overlapMinutes: number; approval: KeyApproval | undefined },
): Promise<Result<RotatedApiKey>> {
  const { model, pepper, clock } = deps;
  const { _id, accountId, scopes, label } = former;
  const ends = await findEnds(model, principal, clock());
  if (!ends) {
    return fail('API_KEY_ENDS');
  }
  const key = newKey(environmentOf(accountId));
  // The successor also ends with what its caller makes ends with: a session gets no key by it that outlives the session's.
  const endsWith = [...new Set([...(former.endsWith ?? []), ...ends.endsWith])];
  const document = documentOf(pepper, key, {
    accountId,
    scopes,
    label,
    endsWith,
    madeIn: madeInOf({ madeIn: [...(former.madeIn ?? []), ...ends.madeIn] }, approval),
    endsAt: ends.endsAt,
  });
  const endsAt = new Date(clock().getTime() + overlapMinutes * MINUTE_MS);
  const isMade = await makeKey(deps, async (unit) => {
    unit.update(model, {
      filter: { _id, accountId, revokedAt: { $exists: false }, endsAt: { $exists: false } },
      update: { $set: { endsAt } },
      otherwise: () => new MakerEnds(),
    });
    insertKey(unit, model, document);
    await endDependents(unit, model, _id, { endsAt });
    approval?.alongside(unit);
  });
  if (!isMade) {
    return fail('API_KEY_ENDS');
  }
  deps.apiKeys.forget();
  note(deps, principal, 'apiKey.rotated', { madeKeyId: document._id, formerKeyId: _id, endsAt });
  return succeed({ key, apiKey: present(document), former: present({ ...former, endsAt }) });
}

async function revokeKey(
  deps: PartnerKeysDeps,
  principal: Principal,
  keyId: string,
): Promise<Result<ApiKey>> {
  if (keyId === principal.keyId) {
    return fail('API_KEY_IN_USE');
  }
  const found = await findKey(deps, principal, keyId);
  if (!found) {
    return fail('API_KEY_NOT_FOUND');
  }
  const revoked = await deps.apiKeys.revoke(keyId);
  if (!found.revokedAt) {
    note(deps, principal, 'apiKey.revoked', { revokedKeyId: keyId });
  }
  return succeed(revoked ?? present(found));
}

function findKey(
  { model }: PartnerKeysDeps,
  { accountId }: Principal,
  keyId: string,
): Promise<ApiKeyDocument | null> {
  return model.findOne({ _id: keyId, accountId }).lean();
}

/** The changed key and its changer, for the operators' log. */
function note(
  { log }: PartnerKeysDeps,
  { accountId, keyId }: Principal,
  event: string,
  about: Readonly<Record<string, unknown>>,
): void {
  log.info({ accountId, keyId, ...about }, event);
}

function invalid(message: string, name: string): Failure {
  return { code: 'INVALID_REQUEST', message, path: [name] };
}
