import type { AccountId } from '../../kernel/account.ts';
import type { Result } from '../../kernel/errors/result.ts';
import { succeed } from '../../kernel/errors/result.ts';
import { withoutUndefined } from '../../kernel/objects.ts';
import {
  NO_OPERATIONAL_EVENTS,
  type OperationalEventsConfig,
  operationalEventsSchema,
} from '../../partners/tenants/operational-events.ts';
import type { Tenants } from '../../partners/tenants/service.ts';
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
  update(accountId: AccountId, input: OperationalEventsInput): Promise<Result<OperationalEventsConfig>>;
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
  const find = async (accountId: AccountId) => {
    const tenant = await tenants.find(accountId);
    if (!tenant) {
      throw new TypeError(`There is no tenant ${accountId}`);
    }
    return tenant.operationalEvents ?? NO_OPERATIONAL_EVENTS;
  };
  return {
    hasMail,
    find,
    update: async (accountId, input) => {
      const changed = { ...(await find(accountId)), ...withoutUndefined(input) };
      const present = Object.entries(changed).filter(([, value]) => value !== null);
      const checked = operationalEventsSchema.safeParse(Object.fromEntries(present));
      if (!checked.success) {
        const failures = checked.error.issues.map(({ path, message }) => issue(path.join('.'), message));
        return { ok: false, failures };
      }
      const tenant = await tenants.changeOperationalEvents(accountId, checked.data);
      return succeed(tenant?.operationalEvents ?? NO_OPERATIONAL_EVENTS);
    },
  };
}
