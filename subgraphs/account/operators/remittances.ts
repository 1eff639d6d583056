import type { Connection } from '../../graph/connection.ts';
import type { Page } from '../../graph/paginate.ts';
import type { Environment } from '../../kernel/account.ts';
import type { Result } from '../../kernel/errors/result.ts';
import type { Operator } from '../../partners/operator-log/index.ts';

/** A list of remittances that need an operator. */
export type OperatorList = 'STUCK' | 'WITHDRAWAL_UNKNOWN';

/** A remittance as operators see it: nothing of its user and its payer. */
export interface OperatorRemittance {
  readonly id: string;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly correlationId: string;
  readonly status: string;
  readonly phase: string;
  readonly phaseSince: Date;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly lastError: {
    readonly code: string;
    readonly message: string | null;
    readonly occurredAt: Date;
  } | null;
  readonly payerMayHaveBeenAsked: boolean;
  readonly withdrawal: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly whyNotRetry: string | null;
  readonly whyNotFail: string | null;
}

/** An act of an operator. */
interface Act {
  readonly id: string;
  readonly by: Operator;
}

/** Remittances of all accounts, as the slice of remittances gives them to operators. */
export interface OperatorRemittances {
  list(
    listing: { readonly list: OperatorList; readonly tenantId?: string | undefined },
    page: Page,
  ): Promise<Connection<OperatorRemittance>>;
  find(id: string): Promise<OperatorRemittance | undefined>;
  retry(act: Act & { readonly reason?: string | undefined }): Promise<Result<OperatorRemittance>>;
  fail(act: Act & { readonly reason: string }): Promise<Result<OperatorRemittance>>;
}
