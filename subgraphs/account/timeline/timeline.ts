import { authorize, graphqlError } from '../../graph/authorize.ts';
import type { SchemaExtension } from '../../graph/subgraph.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import { placeOf, readTimeline, type Timeline, type TimelineDeps } from './read-timeline.ts';
import { DEFAULT_FIRST, MOST_FIRST, TIMELINE_KEYS, TYPES_WITH_TIMELINES, withTimelines } from './schema.ts';

interface Page {
  readonly first?: number | null;
  readonly after?: string | null;
}

/** `timeline` of operations, money requests, remittances and requests by v2, for the subgraph that hosts it beside the nodes. */
export function createTimelines(deps: TimelineDeps): SchemaExtension {
  const resolvers = TYPES_WITH_TIMELINES.map((type) => [
    type,
    {
      timeline: async (record: Readonly<Record<string, unknown>>, page: Page, context: RequestContext) => {
        const size = readFirst(page.first);
        const after = readCursor(page.after);
        const { accountId } = authorize(context);
        return toPage(
          await readTimeline(deps, accountId, { type, id: String(record[TIMELINE_KEYS[type]]) }),
          size,
          after,
        );
      },
    },
  ]);
  return {
    extend: withTimelines,
    resolvers: {
      ...Object.fromEntries(resolvers),
      TimelineEntry: { __resolveType: ({ __typename }: { readonly __typename: string }) => __typename },
    },
  };
}

function toPage({ entries, problems, isCut }: Timeline, size: number, after: string | undefined) {
  const begin = after === undefined ? 0 : entries.filter((entry) => placeOf(entry) <= after).length;
  const nodes = entries.slice(begin, begin + size);
  const [first, last] = [nodes.at(0), nodes.at(-1)];
  return {
    nodes,
    problems,
    isCut,
    pageInfo: {
      hasNextPage: entries.length > begin + size,
      hasPreviousPage: begin > 0,
      startCursor: first ? toCursor(placeOf(first)) : null,
      endCursor: last ? toCursor(placeOf(last)) : null,
    },
  };
}

function readFirst(given: number | null | undefined): number {
  const first = given ?? DEFAULT_FIRST;
  if (first < 1 || first > MOST_FIRST) {
    throw graphqlError('BAD_USER_INPUT', `first takes 1 to ${MOST_FIRST}.`);
  }
  return first;
}

function toCursor(place: string): string {
  return Buffer.from(place).toString('base64url');
}

/** @throws GraphQLError INVALID_CURSOR for what {@link toCursor} has not made */
function readCursor(cursor: string | null | undefined): string | undefined {
  if (cursor == null) {
    return undefined;
  }
  const place = Buffer.from(cursor, 'base64url').toString();
  if (!/^\d{15}:\d:./s.test(place) || toCursor(place) !== cursor) {
    throw graphqlError('INVALID_CURSOR');
  }
  return place;
}
