import type { Connection } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import type { BlindIndex } from '../kernel/crypto/blind-index.ts';
import type { Tenant, Tenants } from '../partners/tenants/service.ts';
import { type DetectDeps, detect } from './detect.ts';
import type { StuckRemittances } from './find-conditions.ts';
import type { Mailer } from './mailer.ts';
import { createOperationalModels } from './model.ts';
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
  /** Sends the mail that is due, by itself: a slow mail server delays no event. The caller runs it every minute. */
  sendMail(signal: AbortSignal): Promise<void>;
  counts(): OperationalCounts;
}

export interface OperationalEventsDeps
  extends Omit<DetectDeps, 'models' | 'hasMail' | 'onRaised'>,
    Omit<SendDeps, 'models' | 'tenants' | 'mailer' | 'count'> {
  readonly connection: Connection;
  readonly tenants: Pick<Tenants, 'list' | 'find' | 'environments'>;
  readonly blindIndex: BlindIndex;
  /** Absent: no mail is sent. */
  readonly mailer: Mailer | undefined;
  /** The stuck remittances of accounts; an account without any in progress is absent. Undefined: too many to count in time. */
  readonly stuckOf: (
    accountIds: readonly AccountId[],
  ) => Promise<ReadonlyMap<AccountId, StuckRemittances> | undefined>;
}

/** The accounts whose remittances are counted at once. */
const ACCOUNTS_AT_ONCE = 200;
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
    detect: async (signal) => {
      const [error] = await detectAll(deps, detecting, signal);
      if (error !== undefined) {
        throw error;
      }
    },
    sendMail: async (signal) => {
      if (mailer === undefined) {
        return;
      }
      const count: SendDeps['count'] = (outcome, by = 1) => {
        mails[outcome] += by;
      };
      await sendNotices({ ...deps, models, mailer, tenants, count }, signal);
    },
    counts: () => ({ raised: { ...raised }, mails: { ...mails } }),
  };
}

/** @returns the errors of partners */
async function detectAll(
  { tenants, stuckOf, log }: OperationalEventsDeps,
  detecting: DetectDeps,
  signal: AbortSignal,
): Promise<unknown[]> {
  const receiving = (await tenants.list()).filter(
    (tenant) => tenants.environments.includes(tenant.environment) && hasReceivers(tenant),
  );
  const errors: unknown[] = [];
  for (let start = 0; start < receiving.length; start += ACCOUNTS_AT_ONCE) {
    const some = receiving.slice(start, start + ACCOUNTS_AT_ONCE);
    const stuck = await stuckOf(some.map(({ accountId }) => accountId));
    for (const tenant of some) {
      if (signal.aborted) {
        return errors;
      }
      const ofTenant = stuck && (stuck.get(tenant.accountId) ?? NONE_STUCK);
      const failed = await errorOf(detect(detecting, tenant, ofTenant));
      for (const err of failed) {
        log.error({ accountId: tenant.accountId, err }, 'operational_events.not_detected');
      }
      errors.push(...failed);
    }
  }
  return errors;
}

function hasReceivers({ operationalEvents }: Tenant): boolean {
  return (
    operationalEvents !== undefined &&
    (operationalEvents.url !== undefined || operationalEvents.emails.length > 0)
  );
}

/** The error of work, if it fails. */
async function errorOf(work: Promise<unknown>): Promise<unknown[]> {
  try {
    await work;
    return [];
  } catch (error) {
    return [error];
  }
}
