import { setTimeout as pause } from 'node:timers/promises';
import type { Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { withAnyOf } from '../../kernel/database/any-of.ts';
import { toDocument } from '../../kernel/database/document.ts';
import { pagesByTime } from '../../kernel/database/pages-by-time.ts';
import { findPlain } from '../../kernel/database/plain-reads.ts';
import { groupItems } from '../../kernel/objects.ts';
import { deliveriesOf } from '../events/erase-texts.ts';
import type { EventDocument, EventEntity } from '../events/model.ts';
import type { Audited, Check } from './audit.ts';

/** Most records of a batch. */
const BATCH = 200;
/** Records change while they are read. A rule that is broken is still broken after this time, in milliseconds. */
const CONFIRM_MS = 500;

/** Waits before the place of a finding is examined again. */
export function pauseToConfirm(): Promise<void> {
  return pause(CONFIRM_MS);
}

/** A record whose changes are events. */
interface Listed {
  readonly _id: string;
  /** The number of its changes. */
  readonly version: number;
  readonly status: string;
  readonly createdAt: Date;
  readonly updatedAt?: Date;
}

/** The records of a collection, and the rules for them. */
export interface RecordRules<Stored extends Listed> {
  readonly name: string;
  readonly model: Model<Stored>;
  /** The kind of entity of their events. */
  readonly entity: EventEntity;
  /** The time by which records are found; with the account it begins an index, and the id ends it. */
  readonly time: Stored extends { readonly updatedAt: Date } ? 'createdAt' | 'updatedAt' : 'createdAt';
  /** Conditions that the index needs. */
  readonly filter?: object;
  /** The id of a record that its events have and partners know. */
  idOf(record: Stored): string;
  /** Whether events may move from one status to another, from null when the record is made. Absent: not judged. */
  isLegal?(from: string | null, to: string): boolean;
  /** The rules beside those of the events that records break, by the id of the record. */
  judge?(accountId: AccountId, records: readonly Stored[]): Promise<ReadonlyMap<string, readonly string[]>>;
}

/** The events with which records are compared. */
export interface PastEvents {
  readonly events: Model<EventDocument>;
  /** The time since which an account's events and webhooks are kept for certain. */
  keptSince(accountId: AccountId): Date;
  /** Which of these ids of webhook deliveries are there. */
  findDeliveries(accountId: AccountId, ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/**
 * A check of the records of a collection, in the order of their last change. Each has the status of its last event, each of its events
 * continues the one before it, the webhooks that these name exist, and the rules of the collection hold.
 */
export function checkRecords<Stored extends Listed>(past: PastEvents, rules: RecordRules<Stored>): Check {
  const { name, model, time, filter = {}, idOf, judge } = rules;
  const findIn = async (accountId: AccountId, records: readonly Stored[]): Promise<Audited['found']> => {
    const [byEvents, byRules] = await Promise.all([
      compareWithEvents(past, rules, accountId, records),
      judge?.(accountId, records),
    ]);
    return records.map(idOf).flatMap((record) => {
      const texts = [...(byRules?.get(record) ?? []), ...(byEvents.get(record) ?? [])];
      return texts.map((text) => ({ record, text }));
    });
  };
  return {
    name,
    async *examine(accountId, { from, before }) {
      const range = { filter: { accountId, ...filter }, time, from, before, limit: BATCH };
      for await (const records of pagesByTime(model, range)) {
        let found = await findIn(accountId, records);
        if (found.length > 0) {
          await pauseToConfirm();
          const ids = new Set(found.map(({ record }) => record));
          const $in = records.filter((record) => ids.has(idOf(record))).map(({ _id }) => _id);
          found = await findIn(
            accountId,
            await findPlain(model, toDocument({ _id: { $in }, accountId }), {}),
          );
        }
        yield { examined: records.length, found };
      }
    },
  };
}

/** The differences between records and their events, by the id that both have. Events behind a record's version are left out. */
async function compareWithEvents<Stored extends Listed>(
  { events, keptSince, findDeliveries }: PastEvents,
  { entity, idOf, time, isLegal = () => true }: RecordRules<Stored>,
  accountId: AccountId,
  records: readonly Stored[],
): Promise<Map<string, string[]>> {
  const found = await findPlain(
    events,
    withAnyOf(events, { accountId, entity }, 'entityId', records.map(idOf)),
    {
      projection: { entityId: 1, version: 1, previousStatus: 1, status: 1, occurredAt: 1, data: 1 },
      sort: { entityId: 1, version: 1 },
    },
  );
  const since = keptSince(accountId);
  const recent = found.filter(({ occurredAt }) => occurredAt > since);
  const deliveries = await findDeliveries(accountId, recent.flatMap(deliveriesOf));
  const byId = groupItems(found, ({ entityId }) => entityId);
  return new Map(
    records.map((record) => {
      const own = (byId.get(idOf(record)) ?? []).filter(({ version }) => version <= record.version);
      const lost = own
        .filter(({ occurredAt }) => occurredAt > since)
        .flatMap(deliveriesOf)
        .filter((id) => !deliveries.has(id));
      const changedAt = (time === 'updatedAt' && record.updatedAt) || record.createdAt;
      return [
        idOf(record),
        [
          ...differences(record, own, changedAt > since),
          ...own
            .filter(({ previousStatus, status }) => !isLegal(previousStatus, status))
            .map(({ version, previousStatus: from, status: to }) => illegal(version, from, to)),
          ...lost.map((id) => `The webhook ${id} of one of its events is missing`),
        ],
      ];
    }),
  );
}

function illegal(version: number, from: string | null, to: string): string {
  return `The event of version ${version} moves from ${from} to ${to}, which is no allowed change`;
}

type PastEvent = Pick<EventDocument, 'version' | 'status' | 'previousStatus'>;

/** @param isRecent whether its last event is kept for certain */
function differences({ version, status }: Listed, events: readonly PastEvent[], isRecent: boolean): string[] {
  const last = events.at(-1);
  if (last === undefined) {
    return isRecent ? ['It has no events'] : [];
  }
  const gaps = events.slice(1).flatMap((event, index) => {
    const before = events[index];
    return before?.version === event.version - 1 && before.status === event.previousStatus
      ? []
      : [`The event of version ${event.version} does not continue the event before it`];
  });
  return last.version === version && last.status === status
    ? gaps
    : [
        ...gaps,
        `It is ${status} in version ${version}, and its last event says ${last.status} in version ${last.version}`,
      ];
}
