import { randomUUID } from 'node:crypto';
import type { AccountId } from '../kernel/account.ts';
import type { BlindIndex } from '../kernel/crypto/blind-index.ts';
import type { Logger } from '../kernel/log/log.ts';
import { type OperationalEventsConfig, quietUntil } from '../partners/tenants/operational-events.ts';
import type { Tenants } from '../partners/tenants/service.ts';
import { composeMail } from './mail-text.ts';
import type { Mailer, MailOutcome } from './mailer.ts';
import type { NoticeDocument, OperationalModels } from './model.ts';

const MINUTE_MS = 60_000;
/** Notices that a killed process has claimed are due again after it. */
const LEASE_MS = 10 * MINUTE_MS;
/** No message is begun later than this after a claim: the slowest one ends before the lease does. */
const LAST_BEGIN_MS = 5 * MINUTE_MS;
const LONGEST_BACKOFF_MS = 60 * MINUTE_MS;
/** Notices that could not be mailed for this time are given up. */
const GIVEN_UP_MS = 3 * 24 * 60 * MINUTE_MS;
/** Most notices in one message, and most accounts in one run. */
const MOST_NOTICES = 500;
const MOST_ACCOUNTS = 1_000;

/** Outcomes of messages, and notices that are given up. */
export type MailCount = MailOutcome['kind'] | 'givenUp';

export interface SendDeps {
  readonly models: Pick<OperationalModels, 'notices'>;
  readonly tenants: Pick<Tenants, 'find'>;
  readonly mailer: Mailer;
  /** Names addresses in records without showing them. */
  readonly blindIndex: BlindIndex;
  readonly consoleUrl: string;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly clock: () => Date;
  readonly count: (outcome: MailCount, by?: number) => void;
}

/**
 * Mails the notices that are due, each account's in one message for each address. Between its claim and its record a notice belongs to
 * one process. A process that dies in between leaves at most the last message to be sent twice.
 *
 * When the server cannot be reached, the rest of the run is left to later runs. An account whose notices cannot be read or recorded does
 * not stop the others.
 * @returns the errors of accounts
 */
export async function sendNotices(deps: SendDeps, signal: AbortSignal): Promise<unknown[]> {
  const { models, clock, log } = deps;
  const accounts = await models.notices.aggregate<{ _id: AccountId }>([
    { $match: { mailDueAt: { $lte: clock() } } },
    { $group: { _id: '$accountId' } },
    { $limit: MOST_ACCOUNTS },
  ]);
  const errors: unknown[] = [];
  for (const { _id: accountId } of accounts) {
    try {
      if (signal.aborted || !(await sendOfAccount(deps, accountId, signal))) {
        break;
      }
    } catch (err) {
      log.error({ accountId, err }, 'operational_events.not_mailed');
      errors.push(err);
    }
  }
  return errors;
}

/** @returns whether the run goes on: not after a failure of the server */
async function sendOfAccount(deps: SendDeps, accountId: AccountId, signal: AbortSignal): Promise<boolean> {
  const { models, tenants, clock } = deps;
  const due = { accountId, mailDueAt: { $lte: clock() } };
  const config = (await tenants.find(accountId))?.operationalEvents;
  if (config === undefined || config.emails.length === 0) {
    await models.notices.updateMany(due, { $unset: { mailDueAt: 1 } });
    return true;
  }
  const quiet = quietUntil(config, clock());
  if (quiet) {
    await models.notices.updateMany(due, { $set: { mailDueAt: quiet } });
    return true;
  }
  const claimed = await claim(deps, accountId);
  if (claimed.notices.length === 0) {
    return true;
  }
  const goesOn = await sendToAll(deps, config, accountId, claimed, signal);
  await settle(deps, config, accountId, claimed);
  return goesOn;
}

interface Claimed {
  readonly notices: readonly NoticeDocument[];
  readonly token: string;
  readonly claimedAt: Date;
}

async function claim({ models, clock }: SendDeps, accountId: AccountId): Promise<Claimed> {
  const now = clock();
  const token = randomUUID();
  const due = { accountId, mailDueAt: { $lte: now } };
  const found = await models.notices
    .find(due)
    .sort({ mailDueAt: 1 })
    .limit(MOST_NOTICES)
    .select({ _id: 1 })
    .lean();
  const ids = found.map(({ _id }) => _id);
  await models.notices.updateMany(
    { _id: { $in: ids }, ...due },
    { $set: { mailDueAt: new Date(now.getTime() + LEASE_MS), mailToken: token } },
  );
  const notices = await models.notices
    .find({ _id: { $in: ids }, mailToken: token })
    .sort({ occurredAt: 1 })
    .lean();
  return { notices, token, claimedAt: now };
}

/** Sends each address the notices that it does not have. @returns false when the server has failed, or takes too long for the claim */
async function sendToAll(
  deps: SendDeps,
  config: OperationalEventsConfig,
  accountId: AccountId,
  { notices, token, claimedAt }: Claimed,
  signal: AbortSignal,
): Promise<boolean> {
  const { models, mailer, log, consoleUrl, count, clock } = deps;
  const lastBegin = claimedAt.getTime() + LAST_BEGIN_MS;
  for (const email of config.emails) {
    const digest = digestOf(deps, accountId, email);
    const missing = notices.filter(({ mailedTo }) => !mailedTo.includes(digest));
    if (signal.aborted || clock().getTime() > lastBegin) {
      return false;
    }
    if (missing.length > 0) {
      const { timeZone } = config;
      const outcome = await mailer.send(composeMail(email, accountId, missing, { timeZone, consoleUrl }));
      count(outcome.kind);
      if (outcome.kind !== 'sent') {
        log.warn(
          { accountId, reason: outcome.reason, outcome: outcome.kind },
          'operational_events.mail_failed',
        );
      }
      if (outcome.kind === 'failed') {
        return false;
      }
      if (outcome.kind !== 'deferred') {
        await models.notices.updateMany(
          { _id: { $in: missing.map(({ _id }) => _id) }, mailToken: token },
          { $addToSet: { mailedTo: digest } },
        );
      }
    }
  }
  return true;
}

function digestOf({ blindIndex }: Pick<SendDeps, 'blindIndex'>, accountId: AccountId, email: string): string {
  return blindIndex.digest(accountId, 'operationalEmail', email);
}

/** Ends the notices that all addresses have, and those that are too old; the others are due again after a pause. */
async function settle(
  deps: SendDeps,
  config: OperationalEventsConfig,
  accountId: AccountId,
  { notices, token }: Claimed,
): Promise<void> {
  const { models, clock, count, log } = deps;
  const now = clock().getTime();
  const own = { _id: { $in: notices.map(({ _id }) => _id) }, mailToken: token };
  const digests = config.emails.map((email) => digestOf(deps, accountId, email));
  const end = { $unset: { mailDueAt: 1, mailToken: 1 } } as const;
  await models.notices.updateMany({ ...own, mailedTo: { $all: digests } }, end);
  const old = await models.notices.updateMany(
    { ...own, mailedTo: { $not: { $all: digests } }, occurredAt: { $lte: new Date(now - GIVEN_UP_MS) } },
    end,
  );
  if (old.modifiedCount > 0) {
    count('givenUp', old.modifiedCount);
    log.error({ accountId, notices: old.modifiedCount }, 'operational_events.mail_given_up');
  }
  const attempts = Math.max(...notices.map(({ mailAttempts }) => mailAttempts));
  const pause = Math.min(MINUTE_MS * 2 ** attempts, LONGEST_BACKOFF_MS);
  await models.notices.updateMany(own, {
    $set: { mailDueAt: new Date(now + pause) },
    $unset: { mailToken: 1 },
    $inc: { mailAttempts: 1 },
  });
}
