import { retryOnConflict } from '../../kernel/database/transaction.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { invalid, issue } from '../../kernel/json/read-body.ts';
import type { Quote } from '../../kernel/money/quote.ts';
import { type Fulfilled, isBadAmount, isStaleRate } from '../../operations/index.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import type { StatusUpdate } from '../commands/update-status.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import { illegalMove } from '../errors.ts';
import { classifyMove, MONEY_REQUEST_STATES } from '../lifecycle.ts';
import type { MoneyRequest } from '../store/model.ts';
import { priceMoneyRequest } from './corridor.ts';
import { moveMoneyRequest } from './move-money-request.ts';

/**
 * Applies an update with its events and webhooks, in one transaction; the fulfilling operation moves with the money request
 * in the same one (decisions, section 7). The same status and details again change nothing.
 * Failures: REQUEST_MONEY_NOT_FOUND, also when the condition does not hold; INVALID_TRANSITION, also of the operation;
 * VALIDATION_FAILED for another operation id; USER_BLOCKED for a move of a blocked user's money request to processing or
 * completed; NO_PRICE, reported to operators, for such a move that needs a price for the payer and finds none, or only one at a rate
 * that is too old (decisions, section 8, "Prices").
 */
export async function applyStatusUpdate(
  deps: RequestMoneyDeps,
  tenant: Tenant,
  update: Omit<StatusUpdate, 'partnerId'>,
  condition: (moneyRequest: MoneyRequest) => boolean = () => true,
): Promise<Result<MoneyRequest>> {
  // Another transaction was faster with the support code or the id of a new operation: the next attempt takes another code,
  // or finds the id taken.
  const applied = await retryOnConflict(() =>
    deps.transaction((unit) => applyWithin(deps, tenant, update, condition, unit)),
  );
  const [failure] = applied.ok ? [] : applied.failures;
  if (failure?.code === 'NO_PRICE') {
    const { referenceId, status } = update;
    deps.missingPrices.report({ accountId: tenant.accountId, referenceId, status, reason: failure.message });
  }
  return applied;
}

async function applyWithin(
  deps: RequestMoneyDeps,
  tenant: Tenant,
  update: Omit<StatusUpdate, 'partnerId'>,
  condition: (moneyRequest: MoneyRequest) => boolean,
  unit: UnitOfWork,
): Promise<Result<MoneyRequest>> {
  const moneyRequest = await deps.moneyRequests.find(tenant.accountId, update.referenceId, unit);
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
    const message = 'differs from the operation that the request has';
    return invalid([issue(['operationId'], message, 'VALIDATION_FAILED')]);
  }
  if (move === 'unchanged') {
    return succeed(moneyRequest);
  }
  if (MONEY_REQUEST_STATES[update.status].needsUnblockedUser && (await isBlocked(deps, moneyRequest, unit))) {
    return fail('USER_BLOCKED');
  }
  return advance(deps, tenant, moneyRequest, update, unit);
}

/** It holds until the transaction ends that the user is not blocked. */
async function isBlocked(
  { users }: RequestMoneyDeps,
  { accountId, userId }: MoneyRequest,
  unit: UnitOfWork,
): Promise<boolean> {
  return (await users.accountState(accountId, userId, unit))?.blocked === true;
}

async function advance(
  deps: RequestMoneyDeps,
  tenant: Tenant,
  moneyRequest: MoneyRequest,
  update: Omit<StatusUpdate, 'partnerId'>,
  unit: UnitOfWork,
): Promise<Result<MoneyRequest>> {
  const statusDetails = update.statusDetails ?? MONEY_REQUEST_STATES[update.status].details;
  const next: MoneyRequest = {
    ...moneyRequest,
    status: update.status,
    statusDetails,
    version: moneyRequest.version + 1,
    updatedAt: deps.accountClock(moneyRequest.accountId),
  };
  const operation = await moveOperation(deps, tenant, next, update.operationId, unit);
  if (!operation.ok) {
    return operation;
  }
  const { value: fulfilled } = operation;
  const moved: MoneyRequest = fulfilled ? { ...next, operationId: fulfilled.operationId } : next;
  const move = { before: moneyRequest, after: moved, failureCause: fulfilled?.failureCause };
  return succeed(moveMoneyRequest(deps, tenant, move, unit));
}

/** Moves the fulfilling operation with the money request, and creates it when the payer has begun. */
async function moveOperation(
  { operations, tenants }: RequestMoneyDeps,
  tenant: Tenant,
  moneyRequest: MoneyRequest,
  givenId: string | undefined,
  unit: UnitOfWork,
): Promise<Result<Fulfilled | undefined>> {
  const { operation: status, createsOperation } = MONEY_REQUEST_STATES[moneyRequest.status];
  const operationId = moneyRequest.operationId ?? givenId;
  if (status === undefined || !(createsOperation || moneyRequest.operationId !== undefined)) {
    return succeed(undefined);
  }
  const isNew = moneyRequest.operationId === undefined;
  const priced = isNew ? await priceOf(tenants, tenant, moneyRequest) : undefined;
  if (priced && !priced.ok) {
    return fail('NO_PRICE', noPriceMessage(moneyRequest, priced));
  }
  const { sourceCountry, destinationCountry } = moneyRequest.resolved;
  return operations.fulfil(
    {
      accountId: moneyRequest.accountId,
      ...(operationId === undefined ? {} : { operationId }),
      requestReferenceId: moneyRequest.referenceId,
      recipientReferenceId: moneyRequest.userReferenceId,
      userId: moneyRequest.userId,
      countries: { sourceCountry, destinationCountry },
      quote: priced?.value,
      status,
      statusDetails: moneyRequest.statusDetails,
      at: moneyRequest.updatedAt,
    },
    unit,
  );
}

/** The price that its quote has locked, or that of now. */
async function priceOf(
  tenants: RequestMoneyDeps['tenants'],
  tenant: Tenant,
  moneyRequest: MoneyRequest,
): Promise<Result<Quote>> {
  return moneyRequest.price ? succeed(moneyRequest.price) : priceMoneyRequest(tenants, tenant, moneyRequest);
}

function noPriceMessage(
  { amount, currency, resolved: { sourceCurrency } }: MoneyRequest,
  priced: Result<Quote>,
): string {
  if (isStaleRate(priced)) {
    return `The exchange rate from ${sourceCurrency} to ${currency} is too old.`;
  }
  return isBadAmount(priced)
    ? `At the present rate, ${amount} ${currency} converts to zero or exceeds the limit in ${sourceCurrency}.`
    : `There is no exchange rate from ${sourceCurrency} to ${currency}.`;
}
