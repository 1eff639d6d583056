import { type DocumentNode, Kind, parse } from 'graphql';
import { authorize, graphqlError } from '../../platform/graphql/authorize.ts';
import { SEARCH_KEYS, type SearchKey, type SearchSource } from '../../platform/graphql/search.ts';
import type { Representation, SchemaExtension } from '../../platform/graphql/subgraph.ts';
import type { Principal, RequestContext } from '../../platform/principal.ts';
import { mergeTypes, typeOf } from './extend-document.ts';
import { fromNodeId } from './node-id.ts';
import { loadHere, type NodesDeps } from './nodes.ts';

/** The longest text that can be a key: an email. */
const LONGEST_TEXT = 254;
const DEFAULT_FIRST = 20;
const MOST = 50;

const KEYS = Object.entries(SEARCH_KEYS).map(([key, description]) => `"""${description}""" ${key}`);

const SEARCH = parse(`
  """What the searched text is of a record."""
  enum SearchKey { ${KEYS.join(' ')} }

  """A record that a search has found."""
  type SearchMatch @requiresScopes(scopes: [["partner"]]) {
    """The record."""
    node: Node!
    """What the text is of it."""
    matchedBy: [SearchKey!]!
  }
`);
const QUERY = typeOf(`
  type Query {
    """
    Operations, money requests, remittances, users and links of the partner that have exactly this text as an id, a reference, a support
    code, a link's or a payer's URL, or the phone number or email that they are registered with; spaces around it aside. Ids come
    first, then what is about the user with this id of the partner's own, newest first.
    """
    search(
      """An id, reference, code, URL, phone number (E.164 or national digits) or email; 1 to 254 characters."""
      text: String!
      """How many at most, 1 to 50; 20 when absent."""
      first: Int
    ): [SearchMatch!]! @requiresScopes(scopes: [["partner"]])
  }
`);

interface SearchDeps extends NodesDeps {
  readonly sources: readonly SearchSource[];
}

interface Match {
  readonly type: string;
  readonly id: string;
  readonly matchedBy: readonly SearchKey[];
}

/** `Query.search`, for the subgraph that serves nodes. */
export function createSearch(deps: SearchDeps): SchemaExtension {
  return {
    extend: withSearch,
    resolvers: {
      Query: {
        search: (
          _source: unknown,
          { text, first }: { text: string; first?: number | null },
          context: RequestContext,
        ) => search(deps, readText(text), readFirst(first), context),
      },
    },
  };
}

function withSearch(document: DocumentNode): DocumentNode {
  const definitions = document.definitions.map((definition) =>
    definition.kind === Kind.OBJECT_TYPE_DEFINITION && definition.name.value === 'Query'
      ? mergeTypes(definition, QUERY)
      : definition,
  );
  return { ...document, definitions: [...definitions, ...SEARCH.definitions] };
}

function readText(given: string): string {
  const text = given.trim();
  if (text === '' || text.length > LONGEST_TEXT) {
    throw graphqlError('BAD_USER_INPUT', `text takes 1 to ${LONGEST_TEXT} characters.`);
  }
  return text;
}

function readFirst(given: number | null | undefined): number {
  const first = given ?? DEFAULT_FIRST;
  if (first < 1 || first > MOST) {
    throw graphqlError('BAD_USER_INPUT', `first takes 1 to ${MOST}.`);
  }
  return first;
}

async function search(deps: SearchDeps, text: string, first: number, context: RequestContext) {
  const found = await findMatches(deps, text, first, authorize(context));
  const node = await findByNodeId(deps, text, context);
  const matches = [...(node ? [node] : []), ...found].slice(0, first);
  const loaded = await loadMatches(deps, matches, context);
  return matches.flatMap(({ matchedBy }, index) => {
    const record = loaded[index];
    return record ? [{ node: record, matchedBy }] : [];
  });
}

/** Records of all slices, each once. Records that only share a user's reference come last, because there may be many. */
async function findMatches(
  { sources }: SearchDeps,
  text: string,
  first: number,
  principal: Principal,
): Promise<Match[]> {
  const perSource = await Promise.all(
    sources.map(async (source) =>
      (await source.search(principal, text, first)).map((hit) => ({ ...hit, type: source.type })),
    ),
  );
  const matches = new Map<string, Match>();
  for (const { type, id, matchedBy } of perSource.flat()) {
    const name = `${type}:${id}`;
    matches.set(name, { type, id, matchedBy: [...(matches.get(name)?.matchedBy ?? []), matchedBy] });
  }
  const isShared = ({ matchedBy }: Match) => matchedBy.every((key) => key === 'USER_REFERENCE_ID');
  return [...matches.values()].sort((one, other) => Number(isShared(one)) - Number(isShared(other)));
}

async function findByNodeId(
  { entities }: SearchDeps,
  text: string,
  context: RequestContext,
): Promise<Match | undefined> {
  const { type, id } = fromNodeId(text) ?? { type: '', id: '' };
  const entity = entities.find(({ name }) => name === type);
  const [found] = entity ? await entity.find([{ __typename: type, [entity.key]: id }], context) : [];
  return found ? { type, id, matchedBy: ['NODE_ID'] } : undefined;
}

/** Loads records in the order of the matches, those of one type in one read. */
async function loadMatches(
  { entities, references }: SearchDeps,
  matches: readonly Match[],
  context: RequestContext,
): Promise<(object | null | undefined)[]> {
  const loaded: (object | null | undefined)[] = new Array(matches.length);
  const loads = entities.map(async ({ name, key }) => {
    const places = matches.flatMap(({ type }, index) => (type === name ? [index] : []));
    if (places.length > 0) {
      const wanted = places.map((place): Representation => ({ __typename: name, [key]: matches[place]?.id }));
      const found = await loadHere(references, wanted, context);
      places.forEach((place, index) => {
        loaded[place] = found[index];
      });
    }
  });
  await Promise.all(loads);
  return loaded;
}
