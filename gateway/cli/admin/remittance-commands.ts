import { commandLine } from '../../../subgraphs/kernel/command-line.ts';
import type { Result } from '../../../subgraphs/kernel/errors/result.ts';
import type { OperatorRemittance } from '../../../subgraphs/remittances/operator-remittances.ts';
import { remittanceId } from '../../../subgraphs/remittances/store/remittance-repository.ts';
import {
  type AdminDeps,
  type Answer,
  type Command,
  existingTenant,
  optionWith,
  requiredText,
  TENANT_OPTIONS,
  textOf,
  UsageError,
  type Values,
} from './command.ts';
import { limitOf, readFirst } from './listing.ts';

const OF = {
  id: optionWith('ID', 'The remittance, as remittances list prints it.'),
  ...TENANT_OPTIONS,
  tenant: optionWith('ID', 'In place of --id: the tenant, with --correlation-id.'),
  'correlation-id': optionWith('ID', "The tenant's id of the request."),
};
const MOST_LISTED = 1_000;
const NEXT_SWEEP = 'A running worker takes it within PIPELINE_SWEEP_SECONDS.';

/** Remittances that need an operator. */
export const REMITTANCE_COMMANDS: Readonly<Record<string, Command>> = {
  'remittances list': {
    summary: 'Remittances that need an operator, of all tenants or of one, oldest first',
    options: {
      stuck: { type: 'boolean', meaning: 'Those in their phase for over 30 seconds.' },
      unknown: {
        type: 'boolean',
        meaning:
          'In place of --stuck: failed ones whose payer may hold a request that nobody could withdraw.',
      },
      tenant: optionWith('ID', 'Only those of this tenant.'),
      limit: optionWith('N', `At most, 1 to ${MOST_LISTED}; by default 100.`),
    },
    required: [],
    examples: ['remittances list --stuck', 'remittances list --unknown --tenant acme --json'],
    run: list,
  },
  'remittances show': {
    summary: 'The state of a remittance, and what an operator can do',
    options: OF,
    required: [],
    examples: ['remittances show --tenant acme --correlation-id corr-1'],
    run: async (deps, values) => ({ rows: [show(await existingRemittance(deps, values))] }),
  },
  'remittances retry': {
    summary: 'Make the next attempt of a remittance due now, under the same provider keys',
    options: { ...OF, reason: optionWith('TEXT', 'Why; the operator log keeps it.') },
    required: [],
    examples: ['remittances retry --tenant acme --correlation-id corr-1 --reason "Provider is back"'],
    run: async (deps, values) => {
      const { id } = await existingRemittance(deps, values);
      const reason = textOf(values, 'reason');
      return acted(await deps.remittances.retry({ id, by: deps.operator, reason }), NEXT_SWEEP);
    },
  },
  'remittances fail': {
    summary:
      'End a remittance with its outcome; if its payer may have been asked, the request is withdrawn first',
    options: { ...OF, reason: optionWith('TEXT', 'Why; the operator log keeps it, partners do not see it.') },
    required: ['reason'],
    examples: ['remittances fail --tenant acme --correlation-id corr-1 --reason "Duplicate, see ticket 812"'],
    run: async (deps, values) => {
      const { id } = await existingRemittance(deps, values);
      const reason = requiredText(values, 'reason');
      const failed = await deps.remittances.fail({ id, by: deps.operator, reason });
      const isEnded = failed.ok && failed.value.status === 'FAILED';
      return acted(failed, isEnded ? 'Ended.' : `It fails when its request is withdrawn. ${NEXT_SWEEP}`);
    },
  },
};

async function list(deps: AdminDeps, values: Values): Promise<Answer> {
  const isStuck = values.stuck === true;
  if (isStuck === (values.unknown === true)) {
    throw new UsageError('Give either --stuck or --unknown.');
  }
  const tenantId =
    values.tenant === undefined ? undefined : (await existingTenant(deps.tenants, values, 'tenant')).tenantId;
  const listing = { list: isStuck ? ('STUCK' as const) : ('WITHDRAWAL_UNKNOWN' as const), tenantId };
  const rows = await readFirst(limitOf(values, MOST_LISTED), (page) => deps.remittances.list(listing, page));
  return { rows: rows.map(show) };
}

async function existingRemittance(deps: AdminDeps, values: Values): Promise<OperatorRemittance> {
  const id = await idOf(deps, values);
  const found = await deps.remittances.find(id);
  if (!found) {
    throw new UsageError(`There is no remittance ${id}.`);
  }
  return found;
}

async function idOf({ tenants }: AdminDeps, values: Values): Promise<string> {
  const hasId = values.id !== undefined;
  if (hasId === (values.tenant !== undefined || values['correlation-id'] !== undefined)) {
    throw new UsageError('Give either --id, or --tenant and --correlation-id.');
  }
  if (hasId) {
    return requiredText(values, 'id');
  }
  const { accountId } = await existingTenant(tenants, values, 'tenant');
  return remittanceId(accountId, requiredText(values, 'correlation-id'));
}

/** @throws UsageError with the message of the failure: nothing has changed, and nothing is in the log */
function acted(result: Result<OperatorRemittance>, note: string): Answer {
  if (!result.ok) {
    throw new UsageError(result.failures.map(({ message }) => message).join(' '));
  }
  return { rows: [show(result.value)], note, next: [commandLine('admin', 'log')] };
}

function show({ lastError, whyNotRetry, whyNotFail, ...shown }: OperatorRemittance) {
  const { code = null, message = null, occurredAt = null } = lastError ?? {};
  const row = {
    ...shown,
    ...{ lastErrorCode: code, lastError: message, lastErrorAt: occurredAt },
    retry: whyNotRetry ?? 'possible',
    fail: whyNotFail ?? 'possible',
  };
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
