import type { Connection as Database } from 'mongoose';
import type { Connection } from '../graph/connection.ts';
import type { Page } from '../graph/paginate.ts';
import { type AccountId, type Environment, partsOf as partsOfAccount } from '../kernel/account.ts';
import type { Result } from '../kernel/errors/result.ts';
import { INTERNAL_ACCOUNT } from '../kernel/principal.ts';
import type { Operator } from '../partners/operator-log/index.ts';
import { mayHaveBeenAsked, type WithdrawalStatus } from '../providers/withdrawal.ts';
import type { Phase, RemittanceStatus } from './lifecycle.ts';
import { createRemittanceModel, type RemittanceDocument, type RemittanceError } from './store/model.ts';
import { listForOperators, type OperatorListing } from './store/operator-reads.ts';
import { createRemittanceRepository, partsOfRemittanceId } from './store/remittance-repository.ts';
import {
  failRemittance,
  type OperateDeps,
  retryRemittance,
  whyNotFail,
  whyNotRetry,
} from './use-cases/operate-remittance.ts';

/** A remittance as operators see it: nothing of its user and its payer. */
export interface OperatorRemittance {
  readonly id: string;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly correlationId: string;
  readonly status: RemittanceStatus;
  readonly phase: Phase;
  /** When it entered its phase. */
  readonly phaseSince: Date;
  /** Failed attempts of its phase. */
  readonly attempts: number;
  /** Null when none is planned. */
  readonly nextAttemptAt: Date | null;
  /** The code alone for a text of a provider, which may name people. */
  readonly lastError:
    | (Pick<RemittanceError, 'code' | 'occurredAt'> & { readonly message: string | null })
    | null;
  readonly payerMayHaveBeenAsked: boolean;
  readonly withdrawal: WithdrawalStatus | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Why an operator cannot retry it, or end it, at the moment; null when they can. */
  readonly whyNotRetry: string | null;
  readonly whyNotFail: string | null;
}

interface ActById {
  readonly id: string;
  readonly by: Operator;
  readonly reason?: string | undefined;
}

/** Remittances of all accounts, for the platform's operators. */
export interface OperatorRemittances {
  list(listing: OperatorListing, page: Page): Promise<Connection<OperatorRemittance>>;
  find(id: string): Promise<OperatorRemittance | undefined>;
  /** {@link retryRemittance} */
  retry(act: ActById): Promise<Result<OperatorRemittance>>;
  /** {@link failRemittance} */
  fail(act: ActById & { readonly reason: string }): Promise<Result<OperatorRemittance>>;
}

export function createOperatorRemittances({
  connection,
  ...others
}: Omit<OperateDeps, 'remittances'> & { readonly connection: Database }): OperatorRemittances {
  const model = createRemittanceModel(connection);
  const deps: OperateDeps = { ...others, remittances: createRemittanceRepository(model) };
  const shown = (remittance: RemittanceDocument) => present(remittance, deps.clock());
  const presented = (result: Result<RemittanceDocument>): Result<OperatorRemittance> =>
    result.ok ? { ok: true, value: shown(result.value) } : result;
  return {
    list: async (listing, page) => {
      const { edges, ...found } = await listForOperators(model, listing, page, deps.clock());
      return {
        ...found,
        edges: edges.map(({ cursor, node }) => ({ cursor, node: shown(node) })),
        nodes: found.nodes.map(shown),
      };
    },
    find: async (id) => {
      const { accountId, correlationId } = partsOf(id);
      const found = (await deps.remittances.findMany(accountId, [correlationId])).get(correlationId);
      return found && shown(found);
    },
    retry: async ({ id, ...act }) => presented(await retryRemittance(deps, { ...partsOf(id), ...act })),
    fail: async ({ id, ...act }) => presented(await failRemittance(deps, { ...partsOf(id), ...act })),
  };
}

/** A text that is no id is the id of no remittance. */
function partsOf(id: string): { accountId: AccountId; correlationId: string } {
  return partsOfRemittanceId(id) ?? { accountId: INTERNAL_ACCOUNT, correlationId: id };
}

function present(remittance: RemittanceDocument, now: Date): OperatorRemittance {
  const { _id: id, accountId, correlationId, status, phase, phaseSince, attempts } = remittance;
  const { isOpen, nextAttemptAt, lastError, withdrawal, createdAt, updatedAt } = remittance;
  return {
    ...{ id, ...partsOfAccount(accountId), correlationId, status, phase, phaseSince, attempts },
    nextAttemptAt: isOpen ? nextAttemptAt : null,
    lastError: lastError ? presentError(lastError) : null,
    payerMayHaveBeenAsked: mayHaveBeenAsked(remittance),
    withdrawal: withdrawal?.status ?? null,
    ...{ createdAt, updatedAt },
    whyNotRetry: whyNotRetry(remittance, now) ?? null,
    whyNotFail: whyNotFail(remittance, now) ?? null,
  };
}

/** An internal error has a text of this product; others may have a provider's. */
function presentError({ code, message, occurredAt }: RemittanceError): OperatorRemittance['lastError'] {
  return { code, message: code === 'ERROR_INTERNAL_SERVER_ERROR' ? message : null, occurredAt };
}
