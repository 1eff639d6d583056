import type { Connection } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import type { BlindIndex } from '../kernel/crypto/blind-index.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { mapAtOnce } from '../kernel/map-at-once.ts';
import type { Tenant, Tenants } from '../partners/tenants/service.ts';
import type { OutgoingEvent } from '../webhooks/publisher.ts';
import { type DetectDeps, detect } from './detect.ts';
import type { StuckRemittances } from './find-conditions.ts';
import type { Mailer } from './mailer.ts';
import { createOperationalModels } from './model.ts';
import { raise } from './raise.ts';
import { type MailCount, type SendDeps, sendNotices } from './send-notices.ts';

/** Counts of this process since its start. */
interface OperationalCounts {
  /** Events that were stored, by name. */
  readonly raised: Readonly<Record<string, number>>;
  /** Messages by outcome, and notices that are given up. */
  readonly mails: Readonly<Record<MailCount, number>>;
}

/** The events about a partner's integration, for the people and programs that operate it. */
export interface OperationalEvents {
  /**
   * Finds the conditions of all partners that have receivers, and raises their events; the caller runs it every minute. A partner whose
   * conditions cannot be read does not stop the others. @throws the first error, after all were tried
   */
  detect(signal: AbortSignal): Promise<void>;
  /**
   * Sends the mail that is due, by itself: a slow mail server delays no event. The caller runs it every minute. A partner whose notices
   * cannot be read does not stop the others. @throws the first error, after all were tried
   */
  sendMail(signal: AbortSignal): Promise<void>;
  /**
   * Raises an event that another part has found, in that part's transaction. A partner without receivers gets none.
   */
  raise(tenant: Tenant, event: OutgoingEvent, unit: UnitOfWork): void;
  counts(): OperationalCounts;
}

export interface OperationalEventsDeps
  extends Omit<DetectDeps, 'models' | 'hasMail' | 'onRaised'>,
    Omit<SendDeps, 'models' | 'tenants' | 'mailer' | 'count'> {
  readonly connection: Connection;
  readonly tenants: Pick<Tenants, 'listWithOperationalEvents' | 'find'>;
  readonly blindIndex: BlindIndex;
  /** Absent: no mail is sent. */
  readonly mailer: Mailer | undefined;
  /** The stuck remittances of accounts; an account without any in progress is absent. Undefined: too many to count in time. */
  readonly stuckOf: (
    accountIds: readonly AccountId[],
  ) => Promise<ReadonlyMap<AccountId, StuckRemittances> | undefined>;
}

/** The accounts whose remittances are counted in one command. */
const COUNTED_AT_ONCE = 200;
/** The partners that are read at the same time. Each takes a few short commands, one after the other. */
const READ_AT_ONCE = 8;
const NONE_STUCK: StuckRemittances = { stuck: 0, stuckSince: null };

export function createOperationalEvents(deps: OperationalEventsDeps): OperationalEvents {
  const { mailer, tenants } = deps;
  const models = createOperationalModels(deps.connection);
  const raised: Record<string, number> = {};
  const mails: Record<MailCount, number> = { sent: 0, refused: 0, deferred: 0, failed: 0, givenUp: 0 };
  const detecting: DetectDeps = {
    ...deps,
    models,
    hasMail: mailer !== undefined,
    onRaised: (event) => {
      raised[event] = (raised[event] ?? 0) + 1;
    },
  };
  return {
    detect: async (signal) => throwFirst(await detectAll(deps, detecting, signal)),
    sendMail: async (signal) => {
      if (mailer === undefined) {
        return;
      }
      const count: SendDeps['count'] = (outcome, by = 1) => {
        mails[outcome] += by;
      };
      throwFirst(await sendNotices({ ...deps, models, mailer, tenants, count }, signal));
    },
    raise: (tenant, event, unit) => {
      raise(detecting, tenant, event, unit);
      unit.onEnd((isCommitted) => {
        if (isCommitted) {
          detecting.onRaised(event.event);
        }
      });
    },
    counts: () => ({ raised: { ...raised }, mails: { ...mails } }),
  };
}

function throwFirst(errors: readonly unknown[]): void {
  if (errors.length > 0) {
    throw errors[0];
  }
}

/** @returns the errors of counts and of partners */
async function detectAll(
  { tenants, stuckOf, log }: OperationalEventsDeps,
  detecting: DetectDeps,
  signal: AbortSignal,
): Promise<unknown[]> {
  const accountIds = await tenants.listWithOperationalEvents();
  const errors: unknown[] = [];
  for (let start = 0; start < accountIds.length && !signal.aborted; start += COUNTED_AT_ONCE) {
    const some = accountIds.slice(start, start + COUNTED_AT_ONCE);
    const stuck = await stuckOf(some).catch((err: unknown) => {
      log.error({ err }, 'operational_events.stuck_not_counted');
      errors.push(err);
      return undefined;
    });
    await mapAtOnce(READ_AT_ONCE, some, async (accountId) => {
      if (signal.aborted) {
        return;
      }
      try {
        const tenant = await tenants.find(accountId);
        if (tenant && hasReceivers(tenant, detecting.hasMail)) {
          await detect(detecting, tenant, stuck && (stuck.get(accountId) ?? NONE_STUCK));
        }
      } catch (err) {
        log.error({ accountId, err }, 'operational_events.not_detected');
        errors.push(err);
      }
    });
  }
  return errors;
}

/** Addresses are no receivers without mail: their events are reported when the deployment has a mail server. */
function hasReceivers({ operationalEvents }: Tenant, hasMail: boolean): boolean {
  return (
    operationalEvents !== undefined &&
    (operationalEvents.url !== undefined || (hasMail && operationalEvents.emails.length > 0))
  );
}
