// The entries of a timeline as people read them: by day, with one row for each webhook.

import type { ConsoleTimelinePageFragment } from './documents/types.ts';
import type { Zone } from './format.ts';

type Entry = ConsoleTimelinePageFragment['nodes'][number];
type Problem = ConsoleTimelinePageFragment['problems'][number];
export type Attempt = Extract<Entry, { readonly __typename: 'TimelineWebhookAttempt' }>;
type WebhookChange = Extract<Entry, { readonly __typename: 'TimelineWebhook' }>;

/** One webhook with all that a page of the timeline has of it. */
export interface WebhookItem {
  readonly kind: 'webhook';
  /** Its delivery id. */
  readonly id: string;
  /** When its first entry happened. */
  readonly at: string;
  /** Its newest change of status; undefined if it is on an earlier page, or no longer stored. */
  readonly change: WebhookChange | undefined;
  readonly attempts: readonly Attempt[];
}

/** Any other entry. */
interface EntryItem {
  readonly kind: 'entry';
  readonly id: string;
  readonly at: string;
  readonly entry: Exclude<Entry, Attempt | WebhookChange>;
}

export type TimelineItem = WebhookItem | EntryItem;

/** Puts all entries of a webhook in the place of its first one. */
export function foldWebhooks(entries: readonly Entry[]): TimelineItem[] {
  const items = new Map<string, TimelineItem>();
  for (const entry of entries) {
    if (entry.__typename === 'TimelineWebhook' || entry.__typename === 'TimelineWebhookAttempt') {
      const { deliveryId: id, at } = entry;
      const found = items.get(id);
      const webhook: WebhookItem =
        found?.kind === 'webhook' ? found : { kind: 'webhook', id, at, change: undefined, attempts: [] };
      items.set(
        id,
        entry.__typename === 'TimelineWebhook'
          ? { ...webhook, change: entry }
          : { ...webhook, attempts: [...webhook.attempts, entry] },
      );
    } else {
      items.set(entry.id, { kind: 'entry', id: entry.id, at: entry.at, entry });
    }
  }
  return [...items.values()].toSorted((one, other) =>
    one.at === other.at ? rankOf(one) - rankOf(other) : Date.parse(one.at) - Date.parse(other.at),
  );
}

/** Among items of the same instant, requests come first: the others follow from them. */
function rankOf(item: TimelineItem): number {
  return item.kind === 'entry' && item.entry.__typename === 'TimelineRequest' ? 0 : 1;
}

/** Items of one day. */
interface DayOfItems {
  /** When its first item happened. */
  readonly at: string;
  readonly items: readonly TimelineItem[];
}

/** Groups items by the day of a zone, in their order. */
export function groupByDay(items: readonly TimelineItem[], zone: Zone): DayOfItems[] {
  const days = new Map<string, DayOfItems>();
  for (const item of items) {
    const day = dayOf(item.at, zone);
    const { at, items: before } = days.get(day) ?? { at: item.at, items: [] };
    days.set(day, { at, items: [...before, item] });
  }
  return [...days.values()];
}

function dayOf(at: string, zone: Zone): string {
  return zone === 'utc' ? at.slice(0, 10) : new Date(at).toDateString();
}

/** Whether a problem is one of a webhook: its step is an event, while the steps of payments are names in capitals. */
export function isOfWebhook({ step }: Pick<Problem, 'step'>): boolean {
  return step !== step.toUpperCase();
}
