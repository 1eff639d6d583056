import type { DataOf } from '../../console/graph.ts';
import type { ReadGraph } from './documents.ts';

/** The most entries of an answer. */
export const MOST_ENTRIES = 50;
/** A cursor of {@link readTimelinePage}: how many entries of a page of the graph come before, and the graph's cursor before that page. */
export const TIMELINE_CURSOR = /^(\d{1,3}):([\w-]{0,300})$/;

/** Some entries of a timeline, oldest first. */
interface TimelinePage {
  readonly entries: readonly object[];
  /** The same on every page. */
  readonly problems: readonly object[];
  /** Whether entries are missing at the beginning. */
  readonly isCut: boolean;
  /** For the next page; null on the last one. */
  readonly nextCursor: string | null;
}

/**
 * Reads up to {@link MOST_ENTRIES} entries. The graph gives 200 at once, so a cursor names a place in such a page.
 * @param cursor of the page before; undefined for the first one
 * @throws GraphError
 */
export async function readTimelinePage(
  graph: ReadGraph,
  nodeId: string,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<TimelinePage> {
  const [, skipped = '0', after = ''] = TIMELINE_CURSOR.exec(cursor ?? '') ?? [];
  const { node } = await graph.run('timeline', { nodeId, after: after === '' ? null : after }, signal);
  if (node === null || !hasTimeline(node)) {
    return { entries: [], problems: [], isCut: false, nextCursor: null };
  }
  const { nodes, problems, isCut, pageInfo } = node.timeline;
  const end = Number(skipped) + MOST_ENTRIES;
  const isWithin = end < nodes.length;
  const next = isWithin ? `${end}:${after}` : `0:${pageInfo.endCursor ?? ''}`;
  return {
    entries: nodes.slice(Number(skipped), end).map(withoutId),
    problems,
    isCut,
    nextCursor: isWithin || pageInfo.hasNextPage ? next : null,
  };
}

type Node = NonNullable<DataOf<'timeline'>['node']>;
type WithTimeline = Extract<Node, { readonly timeline: object }>;

function hasTimeline(node: Node): node is WithTimeline {
  return 'timeline' in node;
}

/** An id of an entry has ids of partners in it, and is of no use here. */
function withoutId({ id: _, ...entry }: WithTimeline['timeline']['nodes'][number]): object {
  return entry;
}
