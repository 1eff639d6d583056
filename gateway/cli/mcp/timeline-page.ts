import type { DataOf, VariablesOf } from '../../console/graph.ts';
import type { ReadGraph } from './documents.ts';

/** The most entries of an answer. */
export const MOST_ENTRIES = 50;
/** A cursor of {@link readTimelinePage}: the number of entries before the page. */
export const TIMELINE_CURSOR = /^\d{1,6}$/;

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
 * Reads up to {@link MOST_ENTRIES} entries. The graph gives 200 at once, with a cursor that contains ids of partners. Ours is a number, so
 * each call reads the pages of the graph from the first one.
 * @param cursor of the page before; undefined for the first one
 * @throws GraphError
 */
export async function readTimelinePage(
  graph: ReadGraph,
  nodeId: string,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<TimelinePage> {
  const begin = Number(cursor ?? 0);
  let before = 0;
  let after: string | null = null;
  for (;;) {
    const page = await readGraphPage(graph, { nodeId, after }, signal);
    if (page === undefined) {
      return { entries: [], problems: [], isCut: false, nextCursor: null };
    }
    const { nodes, problems, isCut, pageInfo } = page;
    const end = before + nodes.length;
    if (begin < end || !pageInfo.hasNextPage) {
      const entries = nodes.slice(begin - before, begin - before + MOST_ENTRIES).map(withoutId);
      const next = begin + entries.length;
      const isLast = next >= end && !pageInfo.hasNextPage;
      return { entries, problems, isCut, nextCursor: isLast ? null : String(next) };
    }
    before = end;
    after = pageInfo.endCursor;
  }
}

type Node = NonNullable<DataOf<'timeline'>['node']>;
type WithTimeline = Extract<Node, { readonly timeline: object }>;

/** A page of the graph; undefined for a record without a timeline. */
async function readGraphPage(
  graph: ReadGraph,
  variables: VariablesOf<'timeline'>,
  signal: AbortSignal,
): Promise<WithTimeline['timeline'] | undefined> {
  const { node } = await graph.run('timeline', variables, signal);
  return node !== null && hasTimeline(node) ? node.timeline : undefined;
}

function hasTimeline(node: Node): node is WithTimeline {
  return 'timeline' in node;
}

/** An id of an entry has ids of partners in it, and is of no use here. */
function withoutId({ id: _, ...entry }: WithTimeline['timeline']['nodes'][number]): object {
  return entry;
}
