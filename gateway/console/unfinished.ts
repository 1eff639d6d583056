import type { ConsoleTimelinePageFragment } from './documents/types.ts';

/** The part of a timeline's page that shows whether more entries will come. */
export type UnfinishedPart = Pick<ConsoleTimelinePageFragment, 'nodes' | 'problems'> & {
  readonly pageInfo: Pick<ConsoleTimelinePageFragment['pageInfo'], 'hasNextPage'>;
};

/** A status with attempts. A failed attempt may leave the status unchanged and has no event. */
const TRIED = new Set(['PENDING', 'IN_PROGRESS']);

/**
 * Whether there may be attempts without events: work is being retried, or a webhook or an atomic call on the newest
 * page has not ended. Older pages may lack the end of what they begin, and get nothing new.
 */
export function isUnfinished({ nodes, problems, pageInfo }: UnfinishedPart): boolean {
  const statuses = new Map(nodes.flatMap(statusOf));
  const isTried = problems.some(({ nextAction }) => nextAction === 'WAIT');
  return isTried || (!pageInfo.hasNextPage && [...statuses.values()].some((status) => TRIED.has(status)));
}

/** The status that a record has from an entry on, if the record is one that is tried. */
function statusOf(entry: UnfinishedPart['nodes'][number]): (readonly [id: string, status: string])[] {
  switch (entry.__typename) {
    case 'TimelineWebhook':
      return [[entry.deliveryId, entry.webhookStatus]];
    case 'TimelineStatusChange':
      return entry.subject === 'REMITTANCE' ? [[entry.subjectId, entry.status]] : [];
    default:
      return [];
  }
}
