import type { ClientSession } from 'mongoose';
import { isBadAmount, priceRequest } from '../../operations/index.ts';
import { newId } from '../../platform/database/ids.ts';
import { isDuplicateKey, turnOf } from '../../platform/database/transaction.ts';
import { fail, type Result, succeed } from '../../platform/errors/result.ts';
import { toShortText } from '../../platform/json/schemas.ts';
import type { Principal } from '../../platform/principal.ts';
import type { Tenant } from '../../platform/tenants/service.ts';
import { type CreateCommand, issue, readBody } from '../commands/create-command.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import { invalidBody } from '../errors.ts';
import { MONEY_REQUEST_STATES } from '../lifecycle.ts';
import { createdEvents, logEntry } from '../store/events.ts';
import { type CreateSurface, type Fingerprint, isIdempotencyKey } from '../store/idempotency.ts';
import type { CreateResult, MoneyRequest } from '../store/model.ts';
import { chooseRoute, deriveCorridor, type RoutedCorridor } from './corridor.ts';
import { publish, publishFailure } from './notify.ts';
import { mintPayerLinks } from './payer-links.ts';

/** Of what a refused body calls its reference. */
const LONGEST_REFERENCE = 64;

/** A create may lose the race for a unique key (reference, idempotency key, user) this often before it gives up. */
const RACES = 4;

/** A create as it came in. */
export interface CreateRequest {
  /** The JSON value of the body, numbers as LosslessNumber; undefined when the body was not JSON. */
  body: unknown;
  /** The body had more bytes than are read: what it holds is not known. */
  isTooLarge?: boolean;
  idempotencyKey?: string | null | undefined;
  surface: CreateSurface;
}

/**
 * Creates an ask: body, idempotency, blocked user, corridor, price, screening, then everything stored in one transaction,
 * which checks again that the user is not blocked (decisions, section 3, "Check order", and section 7, "Blocked users"). A
 * refusal is stored as events before it is answered.
 * Refusals: PAYLOAD_TOO_LARGE, VALIDATION_FAILED (of the body, and behind the corridor of an amount that comes to
 * nothing for the payer), IDEMPOTENCY_KEY_REUSED, LEGACY_REFERENCE_EXISTS, USER_BLOCKED, those of the corridor and of
 * screening.
 */
export async function createMoneyRequest(
  deps: RequestMoneyDeps,
  principal: Principal,
  tenant: Tenant,
  request: CreateRequest,
): Promise<Result<CreateResult>> {
  const created = request.isTooLarge
    ? fail('PAYLOAD_TOO_LARGE')
    : await attempt(deps, principal, tenant, request);
  if (!created.ok) {
    const { failures } = created;
    await publishFailure(deps, tenant, { referenceId: referenceOf(request.body), stage: 'create', failures });
  }
  return created;
}

async function attempt(
  deps: RequestMoneyDeps,
  principal: Principal,
  tenant: Tenant,
  request: CreateRequest,
): Promise<Result<CreateResult>> {
  const { command, issues } = readBody(request.body);
  const key = request.idempotencyKey ?? undefined;
  const keyIssues =
    key === undefined || isIdempotencyKey(key)
      ? []
      : [issue(['Idempotency-Key'], 'must have 1 to 255 characters')];
  if (!command || keyIssues.length > 0) {
    return invalidBody([...issues, ...keyIssues]);
  }
  const { tenantId } = tenant;
  const retry =
    key === undefined
      ? undefined
      : deps.idempotency.fingerprint({
          tenantId,
          key,
          surface: request.surface,
          body: request.body,
          command,
        });
  for (let race = 1; ; race += 1) {
    const known = await recall(deps, tenantId, command, retry);
    if (known) {
      return known;
    }
    try {
      return await createNew(deps, principal, tenant, command, retry);
    } catch (error) {
      // Somebody else stored the same reference, key or user first: look again what there is now.
      if (!isDuplicateKey(error) || race === RACES) {
        throw error;
      }
    }
  }
}

/** What an earlier create makes of this one; undefined when there was none. */
async function recall(
  { moneyRequests, idempotency }: RequestMoneyDeps,
  tenantId: string,
  { referenceId }: CreateCommand,
  retry: Fingerprint | undefined,
): Promise<Result<CreateResult> | undefined> {
  // The ask first: it is stored together with its key, so whoever sees the ask sees the key after it. The other way
  // round an identical create that commits between the two looks would turn a retry into a duplicate.
  const taken = await moneyRequests.exists(tenantId, referenceId);
  const recalled = retry ? await idempotency.recall(retry) : undefined;
  if (recalled?.kind === 'same') {
    return succeed(recalled.result);
  }
  if (taken || (recalled?.kind === 'other' && (await moneyRequests.exists(tenantId, referenceId)))) {
    return fail('LEGACY_REFERENCE_EXISTS');
  }
  return recalled?.kind === 'other' ? fail('IDEMPOTENCY_KEY_REUSED') : undefined;
}

async function createNew(
  deps: RequestMoneyDeps,
  principal: Principal,
  tenant: Tenant,
  command: CreateCommand,
  retry: Fingerprint | undefined,
): Promise<Result<CreateResult>> {
  const user = await deps.users.findByReference(tenant.tenantId, command.requestData.userReferenceId);
  if (user?.blocked) {
    return fail('USER_BLOCKED');
  }
  const corridor = deriveCorridor(tenant.sourceCountry, command);
  if (!corridor.ok) {
    return corridor;
  }
  const routed = chooseRoute(
    corridor.value,
    await deps.tenants.routes(withoutCurrency(corridor.value)),
    command,
  );
  if (!routed.ok) {
    return routed;
  }
  if (await hasBadPrice(deps.tenants, tenant, command, routed.value)) {
    return invalidBody([issue(['amount'], 'comes to nothing, or to too much, for the payer')]);
  }
  const { name, dob, address } = command.requestData;
  const screened = await deps.screening.screen(
    { name, dob, country: address.country },
    principal.environment,
  );
  if (!screened.ok) {
    return screened;
  }
  const stored = await deps.transaction(
    (session) => store(deps, tenant, command, routed.value, retry, session),
    turnOf(tenant.tenantId, { referenceId: command.requestData.userReferenceId }),
  );
  if (!stored.ok) {
    return stored;
  }
  deps.events.wake();
  deps.webhooks.wake(stored.value.deliveryIds);
  return succeed(stored.value.result);
}

/**
 * Whether the payer would be asked for nothing, or for too much, at today's rate. Only behind the corridor, which says
 * where the payer is; where no rate is known the ask has no price yet, and passes.
 */
async function hasBadPrice(
  tenants: RequestMoneyDeps['tenants'],
  tenant: Tenant,
  { amount, currency }: CreateCommand,
  { resolved }: RoutedCorridor,
): Promise<boolean> {
  const { sourceCountry: payerCountry } = resolved;
  const asked = { payerCountry, recipientAmount: amount, recipientCurrency: currency };
  return isBadAmount(await priceRequest(tenants, tenant, asked));
}

function withoutCurrency<T extends { sourceCurrency: string }>({ sourceCurrency: _, ...corridor }: T) {
  return corridor;
}

async function store(
  deps: RequestMoneyDeps,
  tenant: Tenant,
  command: CreateCommand,
  { resolved, warnings }: RoutedCorridor,
  retry: Fingerprint | undefined,
  session: ClientSession,
): Promise<Result<{ result: CreateResult; deliveryIds: string[] }>> {
  const { userId, blocked } = await deps.users.ensureByReference(
    {
      tenantId: tenant.tenantId,
      referenceId: command.requestData.userReferenceId,
      profile: toProfile(command),
    },
    session,
  );
  if (blocked) {
    return fail('USER_BLOCKED');
  }
  const moneyRequest = newMoneyRequest(tenant, command, resolved, userId, deps.clock());
  const { requestData: _, ...answered } = moneyRequest;
  const result: CreateResult = { moneyRequest: answered, warnings };
  await deps.moneyRequests.insert(moneyRequest, session);
  if (retry) {
    await deps.idempotency.keep(retry, result, session);
  }
  const moves = [logEntry(moneyRequest, null)];
  const deliveryIds = await publish(
    deps,
    tenant,
    createdEvents(moneyRequest),
    moneyRequest.createdAt,
    session,
    moves,
  );
  return succeed({ result, deliveryIds });
}

function toProfile({ requestData: { name, dob, address } }: CreateCommand) {
  const { secondName, secondLastName } = name;
  return {
    firstName: name.firstName,
    lastName: name.lastName,
    ...(secondName === undefined ? {} : { secondName }),
    ...(secondLastName === undefined ? {} : { secondLastName }),
    ...(dob === undefined ? {} : { dob }),
    country: address.country,
  };
}

function newMoneyRequest(
  tenant: Tenant,
  command: CreateCommand,
  resolved: MoneyRequest['resolved'],
  userId: string,
  now: Date,
): MoneyRequest {
  return {
    requestId: newId('req_'),
    tenantId: tenant.tenantId,
    referenceId: command.referenceId,
    userReferenceId: command.requestData.userReferenceId,
    userId,
    amount: command.amount,
    currency: command.currency,
    status: 'pending',
    statusDetails: MONEY_REQUEST_STATES.pending.details,
    version: 1,
    ...mintPayerLinks(tenant, command),
    resolved,
    requestData: command.requestData,
    expiresAt: new Date(now.getTime() + command.expiresInMinutes * 60_000),
    createdAt: now,
    updatedAt: now,
  };
}

/** The reference that a refused body carries, if it carries one at all. */
function referenceOf(body: unknown): string | undefined {
  const value =
    typeof body === 'object' && body !== null && 'referenceId' in body ? body.referenceId : undefined;
  return typeof value === 'string' ? toShortText(value, LONGEST_REFERENCE) : undefined;
}
