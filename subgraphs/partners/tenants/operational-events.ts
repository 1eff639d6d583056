import { z } from 'zod';
import type { AccountId, Environment } from '../../kernel/account.ts';
import { type StoredBytes, toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import type { RunTransaction } from '../../kernel/database/transaction.ts';
import type { Alongside } from '../../kernel/database/unit-of-work.ts';
import { type Result, succeed } from '../../kernel/errors/result.ts';
import { timeZoneNamed } from '../../kernel/time-zone.ts';
import { queueKey } from './endpoint-store.ts';
import type { TenantDocument, TenantModels } from './model.ts';
import { LONGEST_RECEIVER_URL, normalizeReceiverUrl } from './receiver-url.ts';
import { secretContext } from './secret-context.ts';

/** Most addresses of a partner in an environment. */
const MOST_EMAILS = 10;
const LONGEST_EMAIL = 254;
const MINUTES_OF_DAY = 1_440;
const MINUTE_MS = 60_000;

const url = z.string().transform((text, context) => {
  const normalized = normalizeReceiverUrl(text);
  const { username = '', password = '' } = normalized === undefined ? {} : new URL(normalized);
  if (normalized === undefined || username !== '' || password !== '') {
    context.addIssue(
      `must be an HTTPS URL of at most ${LONGEST_RECEIVER_URL} characters, without credentials`,
    );
    return z.NEVER;
  }
  return normalized;
});

const wallTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time from 00:00 to 23:59');

/** An address of the form `name@domain` in ASCII: it has no line break, comma or display name that could add another recipient. */
const email = z
  .email(`must be an email address of at most ${LONGEST_EMAIL} characters`)
  .max(LONGEST_EMAIL, `must be an email address of at most ${LONGEST_EMAIL} characters`);

/** The receivers of a partner's operational events in one environment, in the form of a seed file. */
export const operationalEventsSchema = z.strictObject({
  /** Receives them as webhooks. */
  url: url.optional(),
  /** Get them by e-mail, each in messages of its own. */
  emails: z
    .array(email)
    .max(MOST_EMAILS, `must be at most ${MOST_EMAILS} addresses`)
    .transform((all) => [...new Set(all)])
    .default([]),
  /** No mail is sent from the one time to the other, on the next day if it is the earlier one. */
  quietHours: z
    .strictObject({ from: wallTime, to: wallTime })
    .refine(({ from, to }) => from !== to, 'must have different times')
    .optional(),
  /** Time zone of the quiet hours, of times in mails, and of the days of statements. */
  timeZone: z
    .string()
    .refine(
      (name) => timeZoneNamed(name) !== undefined,
      'must be an IANA time zone, such as America/Mexico_City',
    )
    .default('UTC'),
});

/** The receivers of a partner's operational events in one environment; see {@link operationalEventsSchema}. */
export type OperationalEventsConfig = Readonly<z.output<typeof operationalEventsSchema>>;

/** The configuration of a partner that has set none. */
export const NO_OPERATIONAL_EVENTS: OperationalEventsConfig = { emails: [], timeZone: 'UTC' };

/** The minute of the day in a time zone, from 0. @throws RangeError for an unknown zone */
function minuteOfDay(at: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return readMinute(format.format(at));
}

function readMinute(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/**
 * The end of the quiet hours that a time is in; undefined outside of them. When the clocks are set back in between, it is early by the
 * change: the caller asks again then.
 */
export function quietUntil(
  { quietHours, timeZone }: Pick<OperationalEventsConfig, 'quietHours' | 'timeZone'>,
  at: Date,
): Date | undefined {
  if (quietHours === undefined) {
    return undefined;
  }
  const [now, from, to] = [minuteOfDay(at, timeZone), readMinute(quietHours.from), readMinute(quietHours.to)];
  const isQuiet = from < to ? now >= from && now < to : now >= from || now < to;
  if (!isQuiet) {
    return undefined;
  }
  const left = minutesFrom(now, to);
  const after = (minutes: number) => new Date((Math.floor(at.getTime() / MINUTE_MS) + minutes) * MINUTE_MS);
  const late = minutesFrom(to, minuteOfDay(after(left), timeZone));
  const isForward = late < left && minuteOfDay(after(left - late), timeZone) === to;
  return after(isForward ? left - late : left);
}

/** The minutes from one time of the day to the next occurrence of another one. */
function minutesFrom(one: number, other: number): number {
  return (other - one + MINUTES_OF_DAY) % MINUTES_OF_DAY;
}

/** Seals the configuration as one value: its addresses are those of people. */
export function sealOperationalEvents(box: Box, config: OperationalEventsConfig, context: string): Buffer {
  return box.seal(JSON.stringify(config), context);
}

/** @throws when the value was sealed under another key or has been changed */
export function openOperationalEvents(
  box: Box,
  sealed: StoredBytes,
  context: string,
): OperationalEventsConfig {
  return operationalEventsSchema.parse(JSON.parse(box.open(toBuffer(sealed), context).toString()));
}

/** The accounts of these environments that have set receivers, without the values. */
export async function listWithOperationalEvents(
  { tenants }: Pick<TenantModels, 'tenants'>,
  environments: readonly Environment[],
): Promise<AccountId[]> {
  const found = await tenants
    .find({ environment: { $in: [...environments] }, operationalEvents: { $exists: true } })
    .sort({ _id: 1 })
    .select({ _id: 1 })
    .lean();
  return found.map(({ _id }) => _id);
}

interface StoreDeps {
  readonly models: Pick<TenantModels, 'tenants'>;
  readonly box: Box;
  readonly transaction: RunTransaction;
}

/** Whether the partner has a URL for operational events at this moment, also one that another process has set or removed. */
export async function hasOperationalUrl(
  { models, box }: Pick<StoreDeps, 'models' | 'box'>,
  accountId: AccountId,
): Promise<boolean> {
  const found = await models.tenants.findById(accountId).select({ operationalEvents: 1 }).lean();
  return found !== null && storedConfig(box, found).url !== undefined;
}

/** Makes the new configuration from the stored one. Its failures are those of the change. */
export type OperationalEventsChange = (before: OperationalEventsConfig) => Result<OperationalEventsConfig>;

/**
 * The partner's own change of its receivers of operational events. Of two changes at once, the later one gets the result of the first.
 * Undefined when there is no such tenant.
 */
export function changeOperationalEvents(
  { models, box, transaction }: StoreDeps,
  accountId: AccountId,
  change: OperationalEventsChange,
  alongside?: Alongside,
): Promise<Result<TenantDocument> | undefined> {
  return transaction(async (unit) => {
    const before = await models.tenants.findById(accountId).session(unit.session).lean();
    if (!before) {
      return undefined;
    }
    const changed = change(storedConfig(box, before));
    if (!changed.ok) {
      return changed;
    }
    const now = new Date();
    const set = {
      operationalEvents: sealOperationalEvents(box, changed.value, contextOf(accountId)),
      operationalEventsConfiguredAt: now,
      updatedAt: now,
    };
    unit.update(models.tenants, { filter: { _id: accountId }, update: { $set: set } });
    alongside?.(unit);
    return succeed({ ...before, ...set });
  }, queueKey(accountId));
}

function storedConfig(
  box: Box,
  { _id, operationalEvents }: Pick<TenantDocument, '_id' | 'operationalEvents'>,
): OperationalEventsConfig {
  return operationalEvents
    ? openOperationalEvents(box, operationalEvents, contextOf(_id))
    : NO_OPERATIONAL_EVENTS;
}

function contextOf(accountId: AccountId): string {
  return secretContext(accountId, 'operationalEvents');
}
