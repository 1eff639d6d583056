import { type PlanNode, QueryPlanner } from '@graphql-hive/router-query-planner';
import { describe, expect, test } from '@jest/globals';
import { createTestGraph } from '../../testing/graph.ts';

/**
 * What Hive Router's planner does by itself, without the rest of this folder. A test that fails here shows that a quirk
 * is gone: the file that README.md names for it can go too, if the tests of its topic still pass.
 */
const entities = {
  a: `type Query { user: User pay(amount: Amount): Int } scalar Amount
    type User @key(fields: "id") { id: ID! name: String friend: User }`,
  b: 'type User @key(fields: "id") { id: ID! card: Card } type Card { no: String }',
};

const works = `type Query { works: [Work] user: User } type User @key(fields: "id") { id: ID! }
  interface Work @key(fields: "id") { id: ID! title: String }
  type Print implements Work @key(fields: "id") { id: ID! title: String pages: Int }
  type Bust implements Work @key(fields: "id") { id: ID! title: String height: Int }`;
const ratings = `type Query { rated: [Work] } type Work @interfaceObject @key(fields: "id") { id: ID! stars: Int votes: Int }
  type User @key(fields: "id") { id: ID! ratings: [Rating] } type Rating { work: Work }`;
/** Interface objects in a subgraph whose name sorts behind that of the interface, as they must. */
const interfaceObjects = { 'a-works': works, 'b-ratings': ratings };

/** A fetch, as far as these tests look at it. */
interface FoundFetch {
  readonly subgraph: string;
  readonly operation: string;
  /** Types of the entities that it is for. */
  readonly types: readonly string[];
  /** Variables on which it depends. */
  readonly conditions: readonly string[];
}

function fetchesOf(node: PlanNode | null | undefined, conditions: readonly string[] = []): FoundFetch[] {
  switch (node?.kind) {
    case 'Sequence':
    case 'Parallel':
      return node.nodes.flatMap((child) => fetchesOf(child, conditions));
    case 'Condition': {
      const inner = [...conditions, node.condition];
      return [...fetchesOf(node.ifClause, inner), ...fetchesOf(node.elseClause, inner)];
    }
    case 'Flatten':
      return fetchesOf(node.node, conditions);
    case 'Fetch': {
      const types = (node.requires ?? []).flatMap((one) =>
        'typeCondition' in one ? [one.typeCondition] : [],
      );
      return [{ subgraph: node.serviceName, operation: node.operation, types, conditions }];
    }
    default:
      return [];
  }
}

async function planRaw(subgraphs: Readonly<Record<string, string>>, document: string): Promise<PlanNode> {
  const planner = new QueryPlanner(createTestGraph({ subgraphs }).supergraphSdl);
  const { node } = await planner.planAsync(document, null, new Set(), 0);
  if (node === undefined) {
    throw new Error('The planner made an empty plan.');
  }
  return node;
}

const fetchesRaw = async (subgraphs: Readonly<Record<string, string>>, document: string) =>
  fetchesOf(await planRaw(subgraphs, document));

describe('the planner by itself', () => {
  test('rounds number literals (exact-numbers)', async () => {
    const [fetch] = await fetchesRaw(entities, '{ pay(amount: 123456789012345678901234567890.10) }');
    expect(fetch?.operation).toContain('amount: 123456789012345680000000000000');
  });

  test('renames an alias over a key that the next fetch needs (response-keys)', async () => {
    const plan = await planRaw(entities, '{ user { id: name card { no } } }');
    expect(plan).toMatchObject({
      nodes: [
        {
          operation: expect.stringMatching(/_internal_qp_alias_0: name id\b/),
          outputRewrites: [{ KeyRenamer: { renameKeyTo: 'id' } }],
        },
        {
          node: {
            requires: [{ selections: expect.arrayContaining([expect.objectContaining({ name: 'id' })]) }],
          },
        },
      ],
    });
  });

  test('drops the outer of two conditions on nested selections (write-conditions)', async () => {
    const document =
      'query($a: Boolean!, $b: Boolean!) { works { ... on Print @include(if: $a) { stars @skip(if: $b) } } }';
    const found = await fetchesRaw(interfaceObjects, document);
    expect(found.find(({ subgraph }) => subgraph === 'b-ratings')?.conditions).toEqual(['b']);
    expect(JSON.stringify(found)).not.toContain('$a');
  });

  test('drops the condition of a fragment inside of another (normal-form)', async () => {
    const document =
      'query($a: Boolean!, $b: Boolean!) { works { ... on Work @include(if: $a) { ... on Print @skip(if: $b) { stars pages } } } }';
    const [first] = await fetchesRaw(interfaceObjects, document);
    expect(first?.operation).toContain('pages');
    expect(first?.operation).not.toContain('$b');
  });

  test('loses a condition that also stands where the operation leads on to another subgraph (restore-conditions)', async () => {
    const document =
      'query($x: Boolean!) { user { friend { card @skip(if: $x) { no } name } name @skip(if: $x) } }';
    const [first] = await fetchesRaw(entities, document);
    expect(first?.operation).toBe('{user{friend{__typename id name} name}}');
  });

  test('finds no plan for a @requires field of an entity inside an entity of the same subgraph (split-requires)', async () => {
    const subgraphs = {
      shops: 'type Query { shop: Shop } type Shop @key(fields: "id") { id: ID! size: Int }',
      rents: `type Shop @key(fields: "id") {
        id: ID! size: Int @external fee: Int @requires(fields: "size") next: Shop }`,
    };
    await expect(planRaw(subgraphs, '{ shop { next { fee } } }')).rejects.toThrow('Failed to plan query');
  });

  test('finds no way from an interface object in the first subgraph to its types (subgraph-order)', async () => {
    const query = '{ rated { ... on Print { pages } } }';
    const sorted = await fetchesRaw(interfaceObjects, query);
    expect(sorted.at(-1)?.operation).toContain('pages');
    await expect(planRaw({ 'a-ratings': ratings, 'b-works': works }, query)).rejects.toThrow(
      'No paths found',
    );
  });

  test('looks up the type of an interface object without its key (normal-form)', async () => {
    const query = '{ user { ratings { work { ... on Print { stars } ... on Bust { votes } } } } }';
    const found = await fetchesRaw(interfaceObjects, query);
    expect(found[1]?.operation).toContain('ratings{work{__typename}}');
  });

  test('keeps one type of several when it joins fetches for an interface object (widen-requires)', async () => {
    const query = '{ rated { ... on Print { id stars } ... on Bust { stars votes } } }';
    const found = await fetchesRaw(interfaceObjects, query);
    expect(found.at(-1)).toMatchObject({ subgraph: 'b-ratings', types: ['Bust'] });
  });

  test('loses the plain name of a type behind an interface object when it has an alias (normal-form)', async () => {
    const found = await fetchesRaw(interfaceObjects, '{ rated { t: __typename stars } }');
    expect(found.at(-1)?.operation).toMatch(/\.\.\.on Work\{t: __typename\}/);
  });
});
