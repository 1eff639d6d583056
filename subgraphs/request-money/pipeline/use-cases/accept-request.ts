import type { ClientSession } from 'mongoose';
import { retryOnConflict } from '../../../platform/database/transaction.ts';
import { fail, type Result, succeed } from '../../../platform/errors/result.ts';
import type { Principal } from '../../../platform/principal.ts';
import type { Tenant } from '../../../platform/tenants/service.ts';
import type { RequestMoneyFullCommand } from '../commands/request-money-full.ts';
import type { PipelineDeps } from '../deps.ts';
import type { RemittanceDocument } from '../store/model.ts';
import { remittanceId } from '../store/remittance-repository.ts';
import { sealInput, toPerson } from '../store/sealed-input.ts';
import { type CheckedRequest, checkRequest } from './check-request.ts';
import { logEntry } from './partner-events.ts';

type AcceptDeps = Omit<PipelineDeps, 'providers' | 'webhooks' | 'log'>;

/**
 * Accepts an atomic call: checks it, then saves requester, correlation id, remittance and event in one transaction. The
 * phases are the worker's. Failures: ERROR_TENANT_NOT_FOUND, those of {@link checkRequest}, and ERROR_REQUEST_MONEY_FULL
 * for an email that another user has.
 */
export async function acceptRequest(
  deps: AcceptDeps,
  principal: Principal,
  command: RequestMoneyFullCommand,
): Promise<Result<RemittanceDocument>> {
  const tenant = await deps.tenants.find(principal.tenantId);
  if (!tenant) {
    return fail('ERROR_TENANT_NOT_FOUND');
  }
  // A race for the correlation id, or the requester's phone or email, is lost only once: the next attempt sees who has it.
  const accepted = await retryOnConflict(() => attempt(deps, principal, tenant, command));
  if (accepted.ok) {
    deps.events.wake();
  }
  return accepted;
}

async function attempt(
  deps: AcceptDeps,
  principal: Principal,
  tenant: Tenant,
  command: RequestMoneyFullCommand,
): Promise<Result<RemittanceDocument>> {
  const at = deps.clock();
  const checked = await checkRequest(deps, tenant, command, at);
  return checked.ok
    ? deps.transaction((session) => save(deps, principal, checked.value, at, session))
    : checked;
}

async function save(
  deps: AcceptDeps,
  { environment }: Principal,
  checked: CheckedRequest,
  at: Date,
  session: ClientSession,
): Promise<Result<RemittanceDocument>> {
  const { tenantId } = checked.tenant;
  const { registration, correlationId } = checked;
  const user = await deps.users.ensureRegistered({ tenantId, registration, at }, session);
  if (!user.ok) {
    return user;
  }
  await deps.operations.reserveId(tenantId, correlationId, session);
  const remittance = newRemittance(deps, checked, { userId: user.value.userId, environment, at });
  await deps.remittances.insert(remittance, session);
  await deps.events.append([logEntry(remittance, null)], session);
  return succeed(remittance);
}

function newRemittance(
  { box }: AcceptDeps,
  {
    tenant: { tenantId },
    correlationId,
    registration,
    contact,
    method,
    reason,
    quote,
    ...rest
  }: CheckedRequest,
  { userId, environment, at }: Pick<RemittanceDocument, 'userId' | 'environment'> & { at: Date },
): RemittanceDocument {
  const identity = { _id: remittanceId(tenantId, correlationId), tenantId };
  return {
    ...identity,
    correlationId,
    userId,
    environment,
    status: 'IN_PROGRESS',
    phase: 'CIP',
    phaseSince: at,
    version: 1,
    attempts: 0,
    claims: 0,
    nextAttemptAt: at,
    quote,
    attributionLink: rest.attributionLink,
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
