import type { AccountId } from '../../kernel/account.ts';
import type { Alongside } from '../../kernel/database/unit-of-work.ts';
import { type Result, succeed } from '../../kernel/errors/result.ts';
import { withoutUndefined } from '../../kernel/objects.ts';
import {
  NO_OPERATIONAL_EVENTS,
  type OperationalEventsConfig,
  operationalEventsSchema,
} from '../../partners/tenants/operational-events.ts';
import type { Tenant, Tenants } from '../../partners/tenants/service.ts';
import { issue } from '../../webhooks/endpoint-rules.ts';

/** The changes that a partner requests; undefined fields do not change, and null removes a value. */
interface OperationalEventsInput {
  readonly url?: string | null;
  readonly emails?: readonly string[] | null;
  readonly quietHours?: { readonly from: string; readonly to: string } | null;
  readonly timeZone?: string | null;
}

/** A partner's receivers of operational events. */
export interface OperationalEventsService {
  find(accountId: AccountId): Promise<OperationalEventsConfig>;
  /** Failures, after which nothing changes: INVALID_REQUEST for each issue. */
  update(
    accountId: AccountId,
    input: OperationalEventsInput,
    alongside?: Alongside,
  ): Promise<Result<OperationalEventsConfig>>;
  /** Whether this deployment sends mail. */
  readonly hasMail: boolean;
}

interface OperationalEventsDeps {
  readonly tenants: Pick<Tenants, 'find' | 'changeOperationalEvents'>;
  readonly hasMail: boolean;
}

export function createOperationalEventsService({
  tenants,
  hasMail,
}: OperationalEventsDeps): OperationalEventsService {
  return {
    hasMail,
    find: async (accountId) => receiversOf(accountId, await tenants.find(accountId)),
    update: async (accountId, input, alongside) => {
      const change = (before: OperationalEventsConfig) => changeOf(before, input);
      const changed = await tenants.changeOperationalEvents(accountId, change, alongside);
      return changed?.ok === false ? changed : succeed(receiversOf(accountId, changed?.value));
    },
  };
}

function receiversOf(accountId: AccountId, tenant: Tenant | undefined): OperationalEventsConfig {
  if (!tenant) {
    throw new TypeError(`There is no tenant ${accountId}`);
  }
  return tenant.operationalEvents ?? NO_OPERATIONAL_EVENTS;
}

function changeOf(
  before: OperationalEventsConfig,
  input: OperationalEventsInput,
): Result<OperationalEventsConfig> {
  const changed = Object.entries({ ...before, ...withoutUndefined(input) });
  const { success, data, error } = operationalEventsSchema.safeParse(
    Object.fromEntries(changed.filter(([, value]) => value !== null)),
  );
  return success
    ? succeed(data)
    : { ok: false, failures: error.issues.map(({ path, message }) => issue(path.join('.'), message)) };
}
