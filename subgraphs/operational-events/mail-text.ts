import { createHash } from 'node:crypto';
import { type AccountId, partsOf } from '../kernel/account.ts';
import type { OperationalEventName } from '../webhook-events/operational.ts';
import type { Mail } from './mailer.ts';
import type { NoticeDocument } from './model.ts';

/** The part of a notice that a message shows. */
type ShownNotice = Pick<NoticeDocument, '_id' | 'event' | 'data' | 'occurredAt'>;

/** Most lines about one kind of event. */
const MOST_LINES = 10;

interface Wording {
  readonly title: string;
  /** The line of one event, from the data of its webhook. @param show how a time of the data is shown */
  line(data: Readonly<Record<string, unknown>>, show: (time: unknown) => string): string;
}

/** Texts of fixed words, ids, numbers and times: no text of a partner, a user or a provider gets into a message. */
const WORDINGS: Readonly<Record<OperationalEventName, Wording>> = {
  'endpoint.failing': {
    title: 'Webhook endpoints that fail',
    line: ({ endpointId }) => `${endpointId}: new webhooks are kept until it answers`,
  },
  'endpoint.recovered': {
    title: 'Webhook endpoints that answer again',
    line: ({ endpointId }) => `${endpointId}: the kept webhooks are sent`,
  },
  'delivery.dead_lettered': {
    title: 'Webhooks that used up their attempts',
    line: ({ deliveries }) => `${deliveries} not tried again: send them again when the receiver works`,
  },
  'key.expiring': {
    title: 'API keys that end soon',
    line: ({ keyId, endsAt }, show) => `${keyId} ends at ${show(endsAt)}`,
  },
  'remittance.stuck': {
    title: 'Remittances that are stuck',
    line: ({ remittances, stuckSince }, show) =>
      `${remittances} stuck, the longest since ${show(stuckSince)}`,
  },
  'discrepancy.opened': {
    title: 'Settlement files that differ from the journal',
    line: ({ fileId, discrepancies }) => `file ${fileId}: ${discrepancies} discrepancies`,
  },
  'quota.near': {
    title: 'Limits that are nearly used up',
    line: ({ limit, keyId, calls, most, windowSeconds }) =>
      `${limit}, ${keyId ?? 'all keys together'}: ${calls} of ${most} calls in ${windowSeconds} s`,
  },
};

/**
 * One message for many events, by their kinds. Events of a kind beyond the tenth are counted.
 * @param notices at least one, oldest first
 */
export function composeMail(
  to: string,
  accountId: AccountId,
  notices: readonly ShownNotice[],
  { timeZone, consoleUrl }: { readonly timeZone: string; readonly consoleUrl: string },
): Mail {
  const { tenantId, environment } = partsOf(accountId);
  const groups = groupByEvent(notices);
  const counts = groups.map(([{ title }, ofKind]) => `${title} (${ofKind.length})`);
  const rest = counts.length > 2 ? ` and ${counts.length - 2} more` : '';
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone });
  const show = (time: unknown) => format.format(new Date(String(time)));
  const sections = groups.map(([{ title, line }, ofKind]) => {
    const lines = ofKind
      .slice(0, MOST_LINES)
      .map(({ data, occurredAt }) => `- ${format.format(occurredAt)} ${line(data, show)}`);
    const more = ofKind.length > MOST_LINES ? [`- and ${ofKind.length - MOST_LINES} more`] : [];
    return [`${title}: ${ofKind.length}`, ...lines, ...more].join('\n');
  });
  return {
    to,
    subject: `${tenantId} (${environment}): ${counts.slice(0, 2).join(', ')}${rest}`,
    text: [
      `Operational events of ${tenantId}, environment ${environment}. Times are in ${timeZone}.`,
      ...sections,
      `More in the console: ${consoleUrl}`,
      'An administrator of this partner has entered your address for these messages, and can remove it.',
    ].join('\n\n'),
    id: idOf(to, notices),
  };
}

function groupByEvent(notices: readonly ShownNotice[]): [Wording, ShownNotice[]][] {
  const groups = new Map<Wording, ShownNotice[]>();
  for (const notice of notices) {
    const wording = WORDINGS[notice.event];
    groups.set(wording, [...(groups.get(wording) ?? []), notice]);
  }
  return [...groups];
}

function idOf(to: string, notices: readonly ShownNotice[]): string {
  const ids = notices.map(({ _id }) => _id).toSorted();
  return createHash('sha256')
    .update(JSON.stringify([to, ids]))
    .digest('hex')
    .slice(0, 32);
}
