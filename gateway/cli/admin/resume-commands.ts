import { environmentOf, partsOf } from '../../../subgraphs/kernel/account.ts';
import {
  type AdminDeps,
  type Command,
  existingTenant,
  optionWith,
  requiredText,
  TENANT_OPTIONS,
  UsageError,
  type Values,
} from './command.ts';
import type { AdminResumption } from './resumption.ts';

const OPTIONS = {
  ...TENANT_OPTIONS,
  'correlation-id': optionWith('ID', "The tenant's id of the request."),
};

/** Requests whose payer may have been asked and whose withdrawal had no answer (decisions, section 8). */
export const RESUME_COMMANDS: Readonly<Record<string, Command>> = {
  'reservation resume': {
    isAct: true,
    summary: 'Let the tenant repeat a request by request-money-v2 whose withdrawal had no answer',
    options: OPTIONS,
    required: ['tenant', 'correlation-id'],
    examples: ['reservation resume --tenant acme --correlation-id corr-1'],
    run: async (deps, values) => ({
      ...(await resume(deps, values, deps.resumption.reservation)),
      note: 'Have the tenant send the same request again. If nobody does within FUNDING_WITHDRAW_AFTER_SECONDS, it is withdrawn again.',
    }),
  },
};

async function resume({ tenants }: AdminDeps, values: Values, by: AdminResumption['reservation']) {
  const { accountId } = await existingTenant(tenants, values, 'tenant');
  const correlationId = requiredText(values, 'correlation-id');
  const resumed = await by({ accountId, correlationId });
  if (!resumed.ok) {
    throw new UsageError(resumed.failures.map(({ message }) => message).join(' '));
  }
  const { status } = resumed.value;
  return {
    rows: [{ correlationId, environment: environmentOf(accountId), status }],
    act: { ...partsOf(accountId), subject: correlationId, after: { status } },
  };
}
