import { type DocumentNode, Kind, parse } from 'graphql';
import { authorize, graphqlError } from '../../graph/authorize.ts';
import { SEARCH_KEYS, type SearchHit, type SearchKey, type SearchSource } from '../../graph/search.ts';
import type { Representation, SchemaExtension } from '../../graph/subgraph.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { RequestReader } from '../../partners/request-log/reader.ts';
import type { Reveals } from '../../partners/request-log/reveals.ts';
import { LOG_SCOPES } from '../graphql/request-log.type.ts';
import { mergeTypes, typeOf } from './extend-document.ts';
import { fromNodeId } from './node-id.ts';
import { loadHere, type NodesDeps } from './nodes.ts';

/** The longest text that can be a key: an Idempotency-Key. */
const LONGEST_TEXT = 255;
const DEFAULT_FIRST = 20;
const MOST = 50;

const KEYS = Object.entries(SEARCH_KEYS).map(([key, description]) => `"""${description}""" ${key}`);

const SEARCH = parse(`
  """Kind of key by which a search finds a record."""
  enum SearchKey { ${KEYS.join(' ')} }

  """A record that the search found."""
  type SearchMatch @requiresScopes(scopes: [["partner"]]) {
    """Record that was found."""
    node: Node!
    """Kinds of keys of the record that the text matches."""
    matchedBy: [SearchKey!]!
  }
`);
const QUERY = typeOf(`
  type Query {
    """
    Finds records of the partner by the exact text of one of their keys, without the spaces around it: an id, a reference, a support code, the URL of a link or of a
    money request, a phone number in any spelling, or a registered email. A phone number finds users, and payers with their payments. Also finds
    users by whole words of their names, the record that was created with an Idempotency-Key, and the records that the request with an x-request-id named,
    created or changed. A reference that only failed calls used finds the webhooks about these calls; failedCalls has the calls.
    Finds operations, money requests, remittances, requests by v2 without an operation, users, contacts, payment methods, links and webhooks.
    Records that match only by a name, or by the id that the partner gave their user, come last.
    """
    search(
      """An id, reference, support code, Idempotency-Key, x-request-id, URL, email, name, or international or national phone number; 1 to 255 characters."""
      text: String!
      """Maximum number of results, 1 to 50; 20 when absent."""
      first: Int
    ): [SearchMatch!]! @requiresScopes(scopes: [["partner"]])
  }
`);

interface SearchDeps extends NodesDeps {
  readonly sources: readonly SearchSource[];
  readonly requests: Pick<RequestReader, 'findAbout'>;
  readonly reveals: Reveals;
}

interface Hit extends SearchHit {
  readonly type: string;
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
  const [node, found, named] = await Promise.all([
    findByNodeId(deps, text, context),
    findByKeys(deps, text, first, context),
    findByRequest(deps, text, first, context),
  ]);
  const matches = [...(node ? [node] : []), ...toMatches(withoutFailures([...found, ...named]))].slice(
    0,
    first,
  );
  const loaded = await loadMatches(deps, matches, context);
  await recordContactData(deps.reveals, matches, context);
  return matches.flatMap(({ matchedBy }, index) => {
    const record = loaded[index];
    return record ? [{ node: record, matchedBy }] : [];
  });
}

/** Keys that are contact data: a record that is found by one has it, which is on record like reading it. */
const CONTACT_DATA = /PHONE|EMAIL/;

async function recordContactData(
  reveals: Reveals,
  matches: readonly Match[],
  context: RequestContext,
): Promise<void> {
  const found = matches.filter(({ matchedBy }) => matchedBy.some((key) => CONTACT_DATA.test(key)));
  await Promise.all(found.map(({ id }) => reveals.reveal(context, id, undefined)));
}

/** Records that have the text for one of their own keys. */
async function findByKeys(
  { sources }: SearchDeps,
  text: string,
  first: number,
  context: RequestContext,
): Promise<Hit[]> {
  const principal = authorize(context);
  const perSource = await Promise.all(
    sources.map(async (source) =>
      (await source.search(principal, text, first)).map((hit) => ({ ...hit, type: source.type })),
    ),
  );
  return perSource.flat();
}

/**
 * Records that the requests with this x-request-id are about, for callers that may read the log of them. The log does not know the
 * types of its subjects, and has ids that the partner asked for in vain: each type is asked which of them it has.
 */
async function findByRequest(
  { entities, requests }: SearchDeps,
  text: string,
  first: number,
  context: RequestContext,
): Promise<Hit[]> {
  const { accountId, scopes } = authorize(context);
  if (!LOG_SCOPES.every((scope) => scopes.includes(scope))) {
    return [];
  }
  const about = await requests.findAbout(accountId, [text], first);
  const keys = about.filter(({ requestId }) => requestId === text).flatMap((request) => request.keys);
  const subjects = [...new Set(keys)].filter((key) => key !== text).slice(0, MOST);
  if (subjects.length === 0) {
    return [];
  }
  const perType = await Promise.all(
    entities.map(async ({ name: type, key, find }) => {
      const wanted = subjects.map((id): Representation => ({ __typename: type, [key]: id }));
      const found = await find(wanted, context);
      return subjects.filter((_, index) => found[index]);
    }),
  );
  return entities.flatMap(({ name: type }, index) =>
    (perType[index] ?? []).map((id): Hit => ({ type, id, matchedBy: 'X_REQUEST_ID' })),
  );
}

/** Without the webhooks about failed calls, where a money request has the reference: its timeline shows them. */
function withoutFailures(hits: readonly Hit[]): readonly Hit[] {
  const isReference = ({ matchedBy }: Hit) => matchedBy === 'REFERENCE_ID';
  return hits.some((hit) => isReference(hit) && hit.type === 'RequestMoney')
    ? hits.filter((hit) => !(isReference(hit) && hit.type === 'WebhookDelivery'))
    : hits;
}

/** Keys that many records may share. */
const SHARED_KEYS: ReadonlySet<SearchKey> = new Set(['USER_REFERENCE_ID', 'NAME']);

/** Each record once. Those that only share a user's reference or a name come last, because there may be many. */
function toMatches(hits: readonly Hit[]): Match[] {
  const matches = new Map<string, Match>();
  for (const { type, id, matchedBy } of hits) {
    const name = `${type}:${id}`;
    matches.set(name, { type, id, matchedBy: [...(matches.get(name)?.matchedBy ?? []), matchedBy] });
  }
  const isShared = ({ matchedBy }: Match) => matchedBy.every((key) => SHARED_KEYS.has(key));
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
