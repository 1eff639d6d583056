import { describe, expect, test } from '@jest/globals';
import { executeSync, getIntrospectionQuery, parse } from 'graphql';
import { DEFAULT_LIMITS } from '../../gateway/engine/index.ts';
import { createShopGraph, createTestGraph, testContext } from '../../gateway/engine/testing/index.ts';

/** Everything that a schema can have. */
const RICH = {
  one: `
    "A schema." schema { query: Query }
    scalar Date @specifiedBy(url: "https://example.org/date")
    directive @twice(a: Int = 5 @deprecated(reason: "old")) repeatable on FIELD
    interface Node { id: ID } interface Named implements Node { id: ID name: String }
    union Any = A | B
    enum E { X Y @deprecated(reason: "gone") }
    input I { a: Int = 1 b: [E!] = [X] old: Int @deprecated(reason: "old") more: I }
    type A implements Node & Named { id: ID name: String } type B implements Node { id: ID }
    type Query { deep: [[[[[[[[Int!]!]!]!]!]!]!]!]! any(i: I, e: E = X, d: Date, old: Int @deprecated(reason: "x")): Any node: Node named: Named gone: Int @deprecated }`,
};

describe('introspection', () => {
  const graph = createShopGraph();
  const { engine } = graph;
  const query = getIntrospectionQuery({
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  });

  test('the full query answers exactly as graphql-js does for the public schema', async () => {
    const result = await engine.execute({ query }, testContext());
    const expected = executeSync({ schema: engine.publicSchema, document: parse(query) });
    expect(JSON.stringify(result.data)).toBe(JSON.stringify(expected.data));
    expect(result.errors).toBeUndefined();
  });

  test('nothing of federation shows', async () => {
    const result = await engine.execute({ query }, testContext());
    expect(JSON.stringify(result.data)).not.toMatch(
      /join__|link__|_Entity|_Any|_Service|"(key|requires|override)"/,
    );
  });

  test('with aliases, variables and conditions, beside data', async () => {
    const text = `query($name: String!, $all: Boolean = true, $no: Boolean!) {
      me { name } a: __type(name: $name) { ...T } b: __type(name: "Nobody") { name } __schema @skip(if: $no) { types { name } }
      s: __schema { queryType { t: __typename fields(includeDeprecated: $all) { name args { name } } } } __typename
    } fragment T on __Type { kind n: name enumValues { name } }`;
    for (const variables of [
      { name: 'Tier', no: true },
      { name: 'User', no: false, all: false },
    ]) {
      const result = await engine.execute({ query: text, variables }, testContext());
      const monolith = await graph.runMonolith(text, variables);
      expect(JSON.stringify(result.data)).toBe(JSON.stringify(monolith.data));
      expect(result.errors).toBeUndefined();
    }
  });

  const DEPRECATED = `{ name isDeprecated deprecationReason }`;
  test.each<[string, string, Record<string, unknown>?]>([
    [
      'a type by each kind',
      '{ ' +
        ['User', 'Tier', 'String', 'Query', 'Boolean', '__Type', '__TypeKind', 'x']
          .map((name, i) => `t${i}: __type(name: "${name}") { ...T }`)
          .join(' ') +
        ' } fragment T on __Type { kind name description specifiedByURL isOneOf fields { name } inputFields { name } interfaces { name } possibleTypes { name } enumValues { name } ofType { name } }',
    ],
    [
      'deprecated things',
      `{ __schema { types { name fields(includeDeprecated: true) ${DEPRECATED} f: fields ${DEPRECATED} enumValues(includeDeprecated: true) ${DEPRECATED} e: enumValues(includeDeprecated: false) ${DEPRECATED} n: fields(includeDeprecated: null) { name args(includeDeprecated: true) ${DEPRECATED} } } } }`,
    ],
    [
      'deprecated things by a variable',
      `query ($all: Boolean, $none: Boolean = false) { __schema { types { fields(includeDeprecated: $all) ${DEPRECATED} g: fields(includeDeprecated: $none) ${DEPRECATED} } } }`,
      { all: true },
    ],
    [
      'directives',
      '{ __schema { description directives { name description isRepeatable locations args { name description defaultValue type { kind name ofType { name kind } } } __typename } } }',
    ],
    [
      'names of types everywhere',
      '{ __schema { __typename queryType { __typename fields { __typename type { __typename } args { __typename } } } mutationType { name kind fields { name } } subscriptionType { name } } }',
    ],
    [
      'types behind types',
      '{ __type(name: "Query") { fields { type { name kind ofType { name kind fields { name type { name ofType { name ofType { name ofType { name } } } } } ofType { name kind ofType { name fields { name } } } } } } } }',
    ],
    [
      'merged selections',
      '{ __schema { types { name } } __schema { types { kind name } queryType { ...A ...A } } } fragment A on __Type { name ... on __Type { kind } }',
    ],
    [
      'conditions below the root',
      'query ($x: Boolean!) { __schema { types @skip(if: $x) { name } queryType { name kind @include(if: $x) ... @include(if: false) { description } ...F @skip(if: $x) } } } fragment F on __Type { fields { name } }',
      { x: true },
    ],
    ['a hostile alias', '{ __proto__: __type(name: "User") { __proto__: name constructor: kind } }'],
    ['a type by a default', 'query ($n: String! = "User") { __type(name: $n) { name } }'],
  ])('%s are as graphql-js has them', async (_name, text, variables = {}) => {
    for (let run = 0; run < 3; run++) {
      const result = await engine.execute({ query: text, variables }, testContext());
      const expected = executeSync({
        schema: engine.publicSchema,
        document: parse(text),
        variableValues: variables,
      });
      expect(JSON.stringify(result.data)).toBe(JSON.stringify(expected.data));
      expect(result.errors).toBeUndefined();
    }
  });

  test('a type of many wrappers, deprecated inputs and one-of inputs are as graphql-js has them', async () => {
    const rich = createTestGraph({ subgraphs: RICH });
    const result = await rich.engine.execute({ query }, testContext());
    const expected = executeSync({ schema: rich.engine.publicSchema, document: parse(query) });
    expect(JSON.stringify(result.data)).toBe(JSON.stringify(expected.data));
    const inner = `{ kind name ${'ofType { kind name '.repeat(20)} ${'}'.repeat(20)} }`;
    const deep = `{ __type(name: "Query") { fields { name type ${inner} args(includeDeprecated: true) { name defaultValue type { name inputFields(includeDeprecated: true) { name defaultValue } possibleTypes { name } interfaces { name } } } } } }`;
    const wrapped = await rich.engine.execute({ query: deep }, testContext());
    const wanted = executeSync({ schema: rich.engine.publicSchema, document: parse(deep) });
    expect(JSON.stringify(wrapped.data)).toBe(JSON.stringify(wanted.data));
  });

  /** A field selected so often, of every type. */
  const often = (aliases: number) =>
    `{ __schema { types { ${Array.from({ length: aliases }, (_, i) => `a${i}: fields { name type { name fields { name type { name ofType { name } } } } }`).join(' ')} } } }`;

  test('costs by the objects that are written, and more than the limit is not made', async () => {
    const limited = createTestGraph({ subgraphs: RICH, engine: { limits: DEFAULT_LIMITS } }).engine;
    const whole = await limited.execute({ query }, testContext());
    expect(whole.errors).toBeUndefined();
    const { cost } = (whole.extensions ?? {}) as { cost: { requested: number } };
    expect(cost.requested).toBeGreaterThan(50);
    const few = await limited.execute({ query: '{ __schema { queryType { name } } }' }, testContext());
    expect(few.extensions).toEqual({ cost: { requested: 1, limit: DEFAULT_LIMITS.cost } });
    const skipped = await limited.execute(
      { query: `query ($x: Boolean!) { __schema @skip(if: $x) { types { name } } }`, variables: { x: true } },
      testContext(),
    );
    expect(skipped.extensions).toEqual({ cost: { requested: 0, limit: DEFAULT_LIMITS.cost } });
    const tight = createTestGraph({
      subgraphs: RICH,
      engine: { limits: { ...DEFAULT_LIMITS, cost: 1_000 } },
    }).engine;
    const { errors } = await tight.execute({ query: often(29) }, testContext());
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['COST_LIMIT_EXCEEDED']);
  });

  test('is bounded without limits, too', async () => {
    const { data, errors } = await engine.execute({ query: often(1_000) }, testContext());
    expect(data).toEqual({ __schema: null });
    expect(errors).toMatchObject([{ path: ['__schema'], extensions: { code: 'OPERATION_TOO_LARGE' } }]);
  });

  test('sends nothing to a subgraph', async () => {
    graph.fetches.length = 0;
    await engine.execute({ query }, testContext());
    expect(graph.fetches).toEqual([]);
  });
});
