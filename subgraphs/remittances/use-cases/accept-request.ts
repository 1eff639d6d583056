import { environmentOf } from '../../kernel/account.ts';
import type { Times } from '../../kernel/clock/account-clock.ts';
import { retryOnConflict } from '../../kernel/database/transaction.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Principal } from '../../kernel/principal.ts';
import { QuoteUnusableError, quoteUnusable } from '../../operations/index.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import { verifiersOf } from '../../users/index.ts';
import type { RequestMoneyFullCommand } from '../commands/request-money-full.ts';
import type { PipelineDeps } from '../deps.ts';
import type { RemittanceDocument } from '../store/model.ts';
import { remittanceId } from '../store/remittance-repository.ts';
import { sealInput, toPerson } from '../store/sealed-input.ts';
import { type CheckedRequest, checkRequest, QUOTE_ISSUE } from './check-request.ts';
import { logEntry } from './partner-events.ts';

/** The dependencies for accepting a call. */
export interface AcceptDeps extends Omit<PipelineDeps, 'webhooks' | 'log'> {
  /** Makes the worker begin with a remittance after the commit; returns the remittance to store. */
  admit(remittance: RemittanceDocument, unit: UnitOfWork): RemittanceDocument;
  /** Gets a remittance whose user may transact, as its transaction has checked. */
  userJustChecked: WeakSet<RemittanceDocument>;
}

/**
 * Accepts an atomic call: checks it, then saves requester, correlation id, remittance and event in one transaction. The
 * worker runs the phases. Failures: ERROR_TENANT_NOT_FOUND, those of {@link checkRequest}, PROVIDER_NOT_CONFIGURED, and
 * ERROR_REQUEST_MONEY_FULL for an email that another user has, and for a quote that is used or expires meanwhile.
 */
export async function acceptRequest(
  deps: AcceptDeps,
  principal: Principal,
  command: RequestMoneyFullCommand,
): Promise<Result<RemittanceDocument>> {
  const tenant = await deps.tenants.find(principal.accountId);
  if (!tenant) {
    return fail('ERROR_TENANT_NOT_FOUND');
  }
  // Another call has saved the correlation id, or the requester's phone or email: the next attempt sees it.
  let isRetry = false;
  return retryOnConflict(() => {
    const attempted = attempt(deps, principal, tenant, command, isRetry);
    isRetry = true;
    return attempted;
  });
}

async function attempt(
  deps: AcceptDeps,
  principal: Principal,
  tenant: Tenant,
  command: RequestMoneyFullCommand,
  isRetry: boolean,
): Promise<Result<RemittanceDocument>> {
  const at = deps.accountClock(tenant.accountId);
  const checked = await checkRequest(deps, tenant, command, at, isRetry);
  if (!checked.ok) {
    return checked;
  }
  const { method } = checked.value;
  const configured = deps.providers.requireConfigured(environmentOf(principal.accountId), [
    'identity',
    ...verifiersOf(method.type),
    'funding',
  ]);
  if (!configured.ok) {
    return configured;
  }
  const saved = await deps.transaction((unit) => save(deps, checked.value, at, unit)).catch(failWithoutQuote);
  if (saved.ok || isRetry) {
    return saved;
  }
  // A requester or a quote that cannot be saved is reported after all checks, including the check of the correlation id.
  const again = await checkRequest(deps, tenant, command, at, true);
  return again.ok ? saved : again;
}

/** The failure of a call whose quote was used, or has expired, while the call was checked. @throws every other error */
function failWithoutQuote(error: unknown): Result<never> {
  if (error instanceof QuoteUnusableError) {
    return quoteUnusable(QUOTE_ISSUE);
  }
  throw error;
}

async function save(
  deps: AcceptDeps,
  checked: CheckedRequest,
  at: Date,
  unit: UnitOfWork,
): Promise<Result<RemittanceDocument>> {
  const { accountId } = checked.tenant;
  const { registration, correlationId, quoteId } = checked;
  const user = await deps.users.ensureRegistered({ accountId, registration, at }, unit);
  if (!user.ok) {
    return user;
  }
  deps.operations.reserveId(accountId, correlationId, unit);
  if (quoteId !== undefined) {
    deps.operations.quotes.use({ accountId, quoteId, at: deps.accountClock(accountId) }, unit);
  }
  const remittance = deps.admit(
    newRemittance(deps, checked, { userId: user.value.userId, at, now: deps.clock() }),
    unit,
  );
  if (!user.value.blocked) {
    deps.userJustChecked.add(remittance);
  }
  deps.remittances.insert(remittance, unit);
  deps.events.append([logEntry(remittance, null)], unit);
  return succeed(remittance);
}

function newRemittance(
  { box, tracing, users }: AcceptDeps,
  {
    tenant: { accountId },
    correlationId,
    registration,
    contact,
    method,
    reason,
    quote,
    ...rest
  }: CheckedRequest,
  { userId, at, now }: Pick<RemittanceDocument, 'userId'> & Times,
): RemittanceDocument {
  const identity = { _id: remittanceId(accountId, correlationId), accountId };
  const traceparent = tracing.traceparent();
  return {
    ...identity,
    correlationId,
    userId,
    payerKey: users.phoneKey(accountId, contact.phoneNumber),
    status: 'IN_PROGRESS',
    isOpen: true,
    phase: 'CIP',
    phaseSince: now,
    version: 1,
    attempts: 0,
    claims: 0,
    nextAttemptAt: now,
    quote,
    countries: rest.countries,
    attributionLink: rest.attributionLink,
    ...(traceparent === undefined ? {} : { traceparent }),
    private: sealInput(box, identity, {
      person: toPerson(registration),
      contact,
      method,
      ...(reason === undefined ? {} : { reason }),
    }),
    createdAt: at,
    updatedAt: at,
  };
}
