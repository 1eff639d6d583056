import { isLosslessNumber } from 'lossless-json';
import type { ClientSession } from 'mongoose';
import { z } from 'zod';
import { priceRequest } from '../../operations/index.ts';
import { type Refusal, type Result, refuse, succeed } from '../../platform/errors/refusal.ts';
import { bodyError, noNumber, text, toShortText } from '../../platform/json/schemas.ts';
import type { Quote } from '../../platform/money/quote.ts';
import type { Tenant } from '../../platform/tenants/service.ts';
import { fault } from '../commands/create-command.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import { illegalMove, invalidBody } from '../errors.ts';
import { ASK_STATES, ASK_STATUSES, classifyMove } from '../lifecycle.ts';
import type { Ask } from '../store/model.ts';
import { moveAsk } from '../store/move-request-money.ts';
import { publishRefusal } from './notify.ts';

/** Of what a refused body calls its reference: 255 characters is the most that a good one has. */
const LONGEST_REFERENCE = 255;

/** The body of a status update. */
export const updateSchema = noNumber(
  z.object(
    {
      partnerId: text,
      referenceId: text,
      status: z.enum(ASK_STATUSES, `must be one of ${ASK_STATUSES.join(', ')}`),
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
  ask: Ask;
  deliveryIds: string[];
}

/**
 * Reads an update from a JSON value and applies it. A refusal is stored as an event when the partner is known.
 * The fulfilling operation moves with the ask in the same transaction (decisions, section 7).
 * Refusals: VALIDATION_FAILED, REQUEST_MONEY_NOT_FOUND, INVALID_TRANSITION, also of the operation, and USER_BLOCKED for a
 * move of a blocked user's ask to processing or completed.
 */
export async function updateStatus(deps: RequestMoneyDeps, body: unknown): Promise<Result<Ask>> {
  const parsed = updateSchema.safeParse(body);
  const tenant = await deps.tenants.find(textOf(body, 'partnerId') ?? '');
  const updated = parsed.success
    ? await applyKnown(deps, tenant, parsed.data)
    : invalidBody(parsed.error.issues.map(toFault));
  if (!updated.ok && tenant) {
    const { refusals } = updated;
    const referenceId = textOf(body, 'referenceId');
    await publishRefusal(deps, tenant, {
      referenceId: referenceId === undefined ? undefined : toShortText(referenceId, LONGEST_REFERENCE),
      stage: 'status_update',
      refusals,
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

  function isOverdue(ask: Ask): boolean {
    return ask.status === 'pending' && ask.expiresAt <= deps.clock();
  }
}

async function applyKnown(
  deps: RequestMoneyDeps,
  tenant: Tenant | undefined,
  update: StatusUpdate,
): Promise<Result<Ask>> {
  return tenant ? apply(deps, tenant, update) : refuse('REQUEST_MONEY_NOT_FOUND');
}

async function apply(
  deps: RequestMoneyDeps,
  tenant: Tenant,
  update: Omit<StatusUpdate, 'partnerId'>,
  condition: (ask: Ask) => boolean = () => true,
): Promise<Result<Ask>> {
  const applied = await deps.transaction((session) => applyWithin(deps, tenant, update, condition, session));
  if (!applied.ok) {
    return applied;
  }
  deps.events.nudge();
  deps.webhooks.nudge(applied.value.deliveryIds);
  return succeed(applied.value.ask);
}

async function applyWithin(
  deps: RequestMoneyDeps,
  tenant: Tenant,
  update: Omit<StatusUpdate, 'partnerId'>,
  condition: (ask: Ask) => boolean,
  session: ClientSession,
): Promise<Result<Applied>> {
  const ask = await deps.asks.find(tenant.tenantId, update.referenceId, session);
  if (!ask || !condition(ask)) {
    return refuse('REQUEST_MONEY_NOT_FOUND');
  }
  const move = classifyMove(ask, update);
  if (move === 'illegal') {
    return illegalMove(ask.status, update.status);
  }
  if (
    ask.operationId !== undefined &&
    update.operationId !== undefined &&
    ask.operationId !== update.operationId
  ) {
    return invalidBody([fault(['operationId'], 'differs from the operation that the request has')]);
  }
  if (move === 'unchanged') {
    return succeed({ ask, deliveryIds: [] });
  }
  if (ASK_STATES[update.status].needsUnblockedUser && (await isBlocked(deps, ask, session))) {
    return refuse('USER_BLOCKED');
  }
  return advance(deps, tenant, ask, update, session);
}

/** Of a user who is not, it holds until the transaction ends. */
async function isBlocked(
  { users }: RequestMoneyDeps,
  { tenantId, userId }: Ask,
  session: ClientSession,
): Promise<boolean> {
  return (await users.standing(tenantId, userId, session))?.blocked === true;
}

async function advance(
  deps: RequestMoneyDeps,
  tenant: Tenant,
  ask: Ask,
  update: Omit<StatusUpdate, 'partnerId'>,
  session: ClientSession,
): Promise<Result<Applied>> {
  const statusDetails = update.statusDetails ?? ASK_STATES[update.status].details;
  const next: Ask = {
    ...ask,
    status: update.status,
    statusDetails,
    version: ask.version + 1,
    updatedAt: deps.clock(),
  };
  const operation = await moveOperation(deps, tenant, next, update.operationId, session);
  if (!operation.ok) {
    return operation;
  }
  const moved: Ask = operation.value === undefined ? next : { ...next, operationId: operation.value };
  const deliveryIds = await moveAsk(deps, tenant, { before: ask, after: moved }, session);
  return succeed({ ask: moved, deliveryIds });
}

/** Lets the fulfilling operation follow the ask, and makes it when the payer has begun. */
async function moveOperation(
  { operations, tenants }: RequestMoneyDeps,
  tenant: Tenant,
  ask: Ask,
  givenId: string | undefined,
  session: ClientSession,
): Promise<Result<string | undefined>> {
  const { operation: status, createsOperation } = ASK_STATES[ask.status];
  const operationId = ask.operationId ?? givenId;
  if (status === undefined || !(createsOperation || ask.operationId !== undefined)) {
    return succeed(undefined);
  }
  const quote = ask.operationId === undefined ? await price(tenants, tenant, ask) : undefined;
  const fulfilled = await operations.fulfil(
    {
      tenantId: ask.tenantId,
      ...(operationId === undefined ? {} : { operationId }),
      requestReferenceId: ask.referenceId,
      recipientReferenceId: ask.userReferenceId,
      userId: ask.userId,
      amount: ask.amount,
      currency: ask.currency,
      quote,
      status,
      statusDetails: ask.statusDetails,
      at: ask.updatedAt,
    },
    session,
  );
  return fulfilled.ok ? succeed(fulfilled.value.operationId) : fulfilled;
}

/** What the payer pays, at today's rate; undefined when there is none, which stops no ask of document 2. */
async function price(
  tenants: RequestMoneyDeps['tenants'],
  tenant: Tenant,
  { amount, currency, resolved }: Ask,
): Promise<Quote | undefined> {
  const asked = {
    payerCountry: resolved.sourceCountry,
    recipientAmount: amount,
    recipientCurrency: currency,
  };
  const priced = await priceRequest(tenants, tenant, asked);
  return priced.ok ? priced.value : undefined;
}

function toFault({ path, message }: { path: PropertyKey[]; message: string }): Refusal {
  return fault(path, message);
}

function textOf(body: unknown, name: 'partnerId' | 'referenceId'): string | undefined {
  if (typeof body !== 'object' || body === null || isLosslessNumber(body)) {
    return undefined;
  }
  const value = (body as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}
