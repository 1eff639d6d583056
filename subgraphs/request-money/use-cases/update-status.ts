import { isLosslessNumber } from 'lossless-json';
import type { ClientSession } from 'mongoose';
import { z } from 'zod';
import { priceRequest } from '../../operations/index.ts';
import { type Failure, fail, type Result, succeed } from '../../platform/errors/result.ts';
import { bodyError, rejectLosslessNumber, text, toShortText } from '../../platform/json/schemas.ts';
import type { Quote } from '../../platform/money/quote.ts';
import type { Tenant } from '../../platform/tenants/service.ts';
import { issue } from '../commands/create-command.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import { illegalMove, invalidBody } from '../errors.ts';
import { classifyMove, MONEY_REQUEST_STATES, MONEY_REQUEST_STATUSES } from '../lifecycle.ts';
import type { MoneyRequest } from '../store/model.ts';
import { moveMoneyRequest } from '../store/move-request-money.ts';
import { publishFailure } from './notify.ts';

/** Of what a refused body calls its reference: 255 characters is the most that a good one has. */
const LONGEST_REFERENCE = 255;

/** The body of a status update. */
export const updateSchema = rejectLosslessNumber(
  z.object(
    {
      partnerId: text,
      referenceId: text,
      status: z.enum(MONEY_REQUEST_STATUSES, `must be one of ${MONEY_REQUEST_STATUSES.join(', ')}`),
      statusDetails: text.optional().describe("By default the status's own."),
      operationId: text.optional().describe('The fulfilling operation; generated when absent.'),
    },
    bodyError,
  ),
);

/** A status update of decisions, section 3 (`PATCH /v1/internal/remittances/status`). */
export type StatusUpdate = z.output<typeof updateSchema>;

/** What an applied update leaves to do once it is committed. */
interface Applied {
  moneyRequest: MoneyRequest;
  deliveryIds: string[];
}

/**
 * Reads an update from a JSON value and applies it. A refusal is stored as an event when the partner is known.
 * The fulfilling operation moves with the ask in the same transaction (decisions, section 7).
 * Refusals: VALIDATION_FAILED, REQUEST_MONEY_NOT_FOUND, INVALID_TRANSITION, also of the operation, and USER_BLOCKED for a
 * move of a blocked user's ask to processing or completed.
 */
export async function updateStatus(deps: RequestMoneyDeps, body: unknown): Promise<Result<MoneyRequest>> {
  const parsed = updateSchema.safeParse(body);
  const tenant = await deps.tenants.find(textOf(body, 'partnerId') ?? '');
  const updated = parsed.success
    ? await applyKnown(deps, tenant, parsed.data)
    : invalidBody(parsed.error.issues.map(toIssue));
  if (!updated.ok && tenant) {
    const { failures } = updated;
    const referenceId = textOf(body, 'referenceId');
    await publishFailure(deps, tenant, {
      referenceId: referenceId === undefined ? undefined : toShortText(referenceId, LONGEST_REFERENCE),
      stage: 'status_update',
      failures,
    });
  }
  return updated;
}

/** Cancels an ask whose time is over, unless it has moved on; false when it had. */
export async function expire(
  deps: RequestMoneyDeps,
  asked: { tenantId: string; referenceId: string },
): Promise<boolean> {
  const tenant = await deps.tenants.find(asked.tenantId);
  if (!tenant) {
    return false;
  }
  const { referenceId } = asked;
  const expired = await apply(
    deps,
    tenant,
    { referenceId, status: 'cancelled', statusDetails: 'Expired' },
    isOverdue,
  );
  return expired.ok;

  function isOverdue(moneyRequest: MoneyRequest): boolean {
    return moneyRequest.status === 'pending' && moneyRequest.expiresAt <= deps.clock();
  }
}

async function applyKnown(
  deps: RequestMoneyDeps,
  tenant: Tenant | undefined,
  update: StatusUpdate,
): Promise<Result<MoneyRequest>> {
  return tenant ? apply(deps, tenant, update) : fail('REQUEST_MONEY_NOT_FOUND');
}

async function apply(
  deps: RequestMoneyDeps,
  tenant: Tenant,
  update: Omit<StatusUpdate, 'partnerId'>,
  condition: (moneyRequest: MoneyRequest) => boolean = () => true,
): Promise<Result<MoneyRequest>> {
  const applied = await deps.transaction((session) => applyWithin(deps, tenant, update, condition, session));
  if (!applied.ok) {
    return applied;
  }
  deps.events.wake();
  deps.webhooks.wake(applied.value.deliveryIds);
  return succeed(applied.value.moneyRequest);
}

async function applyWithin(
  deps: RequestMoneyDeps,
  tenant: Tenant,
  update: Omit<StatusUpdate, 'partnerId'>,
  condition: (moneyRequest: MoneyRequest) => boolean,
  session: ClientSession,
): Promise<Result<Applied>> {
  const moneyRequest = await deps.moneyRequests.find(tenant.tenantId, update.referenceId, session);
  if (!moneyRequest || !condition(moneyRequest)) {
    return fail('REQUEST_MONEY_NOT_FOUND');
  }
  const move = classifyMove(moneyRequest, update);
  if (move === 'illegal') {
    return illegalMove(moneyRequest.status, update.status);
  }
  if (
    moneyRequest.operationId !== undefined &&
    update.operationId !== undefined &&
    moneyRequest.operationId !== update.operationId
  ) {
    return invalidBody([issue(['operationId'], 'differs from the operation that the request has')]);
  }
  if (move === 'unchanged') {
    return succeed({ moneyRequest, deliveryIds: [] });
  }
  if (
    MONEY_REQUEST_STATES[update.status].needsUnblockedUser &&
    (await isBlocked(deps, moneyRequest, session))
  ) {
    return fail('USER_BLOCKED');
  }
  return advance(deps, tenant, moneyRequest, update, session);
}

/** Of a user who is not, it holds until the transaction ends. */
async function isBlocked(
  { users }: RequestMoneyDeps,
  { tenantId, userId }: MoneyRequest,
  session: ClientSession,
): Promise<boolean> {
  return (await users.accountState(tenantId, userId, session))?.blocked === true;
}

async function advance(
  deps: RequestMoneyDeps,
  tenant: Tenant,
  moneyRequest: MoneyRequest,
  update: Omit<StatusUpdate, 'partnerId'>,
  session: ClientSession,
): Promise<Result<Applied>> {
  const statusDetails = update.statusDetails ?? MONEY_REQUEST_STATES[update.status].details;
  const next: MoneyRequest = {
    ...moneyRequest,
    status: update.status,
    statusDetails,
    version: moneyRequest.version + 1,
    updatedAt: deps.clock(),
  };
  const operation = await moveOperation(deps, tenant, next, update.operationId, session);
  if (!operation.ok) {
    return operation;
  }
  const moved: MoneyRequest =
    operation.value === undefined ? next : { ...next, operationId: operation.value };
  const deliveryIds = await moveMoneyRequest(deps, tenant, { before: moneyRequest, after: moved }, session);
  return succeed({ moneyRequest: moved, deliveryIds });
}

/** Lets the fulfilling operation follow the ask, and makes it when the payer has begun. */
async function moveOperation(
  { operations, tenants }: RequestMoneyDeps,
  tenant: Tenant,
  moneyRequest: MoneyRequest,
  givenId: string | undefined,
  session: ClientSession,
): Promise<Result<string | undefined>> {
  const { operation: status, createsOperation } = MONEY_REQUEST_STATES[moneyRequest.status];
  const operationId = moneyRequest.operationId ?? givenId;
  if (status === undefined || !(createsOperation || moneyRequest.operationId !== undefined)) {
    return succeed(undefined);
  }
  const quote =
    moneyRequest.operationId === undefined ? await price(tenants, tenant, moneyRequest) : undefined;
  const fulfilled = await operations.fulfil(
    {
      tenantId: moneyRequest.tenantId,
      ...(operationId === undefined ? {} : { operationId }),
      requestReferenceId: moneyRequest.referenceId,
      recipientReferenceId: moneyRequest.userReferenceId,
      userId: moneyRequest.userId,
      amount: moneyRequest.amount,
      currency: moneyRequest.currency,
      quote,
      status,
      statusDetails: moneyRequest.statusDetails,
      at: moneyRequest.updatedAt,
    },
    session,
  );
  return fulfilled.ok ? succeed(fulfilled.value.operationId) : fulfilled;
}

/** What the payer pays, at today's rate; undefined when there is none, which stops no ask of document 2. */
async function price(
  tenants: RequestMoneyDeps['tenants'],
  tenant: Tenant,
  { amount, currency, resolved }: MoneyRequest,
): Promise<Quote | undefined> {
  const asked = {
    payerCountry: resolved.sourceCountry,
    recipientAmount: amount,
    recipientCurrency: currency,
  };
  const priced = await priceRequest(tenants, tenant, asked);
  return priced.ok ? priced.value : undefined;
}

function toIssue({ path, message }: { path: PropertyKey[]; message: string }): Failure {
  return issue(path, message);
}

function textOf(body: unknown, name: 'partnerId' | 'referenceId'): string | undefined {
  if (typeof body !== 'object' || body === null || isLosslessNumber(body)) {
    return undefined;
  }
  const value = (body as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}
