import { describe, expect, test } from '@jest/globals';
import { GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql';
import { createTestGraph, type TestGraph, testContext } from '../../gateway/engine/testing/index.ts';

const SECRET = '4111111111111111';

function readAmount(value: unknown): string {
  if (typeof value !== 'string' || !/^\d+(\.\d+)?$/.test(value)) {
    throw new Error(`no amount: ${value}`);
  }
  return value;
}

const Amount = new GraphQLScalarType<string, string>({
  name: 'Amount',
  parseValue: readAmount,
  parseLiteral: (node) =>
    readAmount(node.kind === Kind.INT || node.kind === Kind.FLOAT ? node.value : valueFromASTUntyped(node)),
});

function createGraph(introspection = true): TestGraph & { readonly received: unknown[] } {
  const received: unknown[] = [];
  const graph = createTestGraph({
    engine: { scalars: [{ type: Amount, numbersAsText: true }], introspection },
    subgraphs: {
      pay: `
        scalar Amount
        enum Kind { CARD CASH }
        input Pay { amount: Amount! kind: Kind count: Int items: [Item!] more: Pay }
        input Item { amount: Amount! }
        type Query {
          pay(input: Pay!): String echo(amount: Amount = "1.10", amounts: [Amount], n: Int, f: Float, kind: Kind): String
          thing: Thing
        }
        type Thing { colour: String other: Thing }`,
    },
    resolvers: {
      Query: {
        pay: (_source, args) => {
          received.push(args);
          return 'paid';
        },
        echo: (_source, args) => JSON.stringify(args),
        thing: () => ({ colour: 'red' }),
      },
    },
  });
  return Object.assign(graph, { received });
}

const AS_VARIABLE = 'query ($input: Pay!) { pay(input: $input) }';

describe('a value that its type cannot read', () => {
  test.each<[string, string, Record<string, unknown>, (string | number)[]]>([
    ['a literal', `{ echo(amount: "${SECRET} ") }`, {}, ['amount']],
    ['a boolean literal', '{ echo(amount: true) }', {}, ['amount']],
    ['a literal with an exponent', '{ echo(amount: 1e3) }', {}, ['amount']],
    ['a literal in an object', `{ pay(input: { amount: "x${SECRET}" }) }`, {}, ['input', 'amount']],
    ['a literal in a list', `{ echo(amounts: ["1", "x${SECRET}"]) }`, {}, ['amounts', 1]],
    [
      'a literal deep below',
      `{ pay(input: { amount: 1, more: { amount: 2, items: [{ amount: "x${SECRET}" }] } }) }`,
      {},
      ['input', 'more', 'items', 0, 'amount'],
    ],
    ['a default', `query ($a: Amount = "x${SECRET}") { echo(amount: $a) }`, {}, ['$a']],
    ['an enum', '{ echo(kind: GOLD) }', {}, ['kind']],
    ['an int that is too large', '{ echo(n: 3000000000) }', {}, ['n']],
    ['a wrong type', `{ echo(f: "${SECRET}") }`, {}, ['f']],
    ['null', '{ pay(input: null) }', {}, ['input']],
    ['a variable', AS_VARIABLE, { input: { amount: `x${SECRET}` } }, ['input', 'amount']],
    ['a variable with a number', AS_VARIABLE, { input: { amount: 4111 } }, ['input', 'amount']],
    [
      'a variable in a list',
      AS_VARIABLE,
      { input: { amount: '1', items: [{ amount: '1' }, { amount: SECRET.concat('x') }] } },
      ['input', 'items', 1, 'amount'],
    ],
    ['an enum in a variable', AS_VARIABLE, { input: { amount: '1', kind: SECRET } }, ['input', 'kind']],
    ['an int in a variable', AS_VARIABLE, { input: { amount: '1', count: 4e12 } }, ['input', 'count']],
    ['an invalid object', AS_VARIABLE, { input: SECRET }, ['input']],
    ['a field that is unknown', AS_VARIABLE, { input: { amount: '1', [SECRET]: 1 } }, ['input']],
    ['a field that is missing', AS_VARIABLE, { input: { kind: 'CARD' } }, ['input']],
    ['null in a variable', AS_VARIABLE, { input: null }, ['input']],
    ['nothing', AS_VARIABLE, {}, ['input']],
  ])('%s', async (_name, query, variables, path) => {
    const graph = createGraph();
    for (let run = 0; run < 2; run++) {
      const { errors = [], ...rest } = await graph.engine.execute({ query, variables }, testContext());
      expect(rest).not.toHaveProperty('data');
      expect(errors.map(({ extensions }) => extensions)).toEqual([{ code: 'BAD_USER_INPUT', path }]);
      expect(errors[0]?.locations).toHaveLength(1);
      expect(JSON.stringify(errors) + errors[0]?.stack).not.toContain(SECRET);
    }
    expect({ received: graph.received, reported: graph.internalErrors, fetches: graph.fetches }).toEqual({
      received: [],
      reported: [],
      fetches: [],
    });
  });

  test('is one of at most 20 that are named', async () => {
    const { engine } = createGraph();
    const bad = Array.from({ length: 57 }, () => 'x');
    const literals = await engine.execute(
      { query: `{ echo(amounts: ${JSON.stringify(bad)}) }` },
      testContext(),
    );
    const query = 'query ($amounts: [Amount]) { echo(amounts: $amounts) }';
    const variables = await engine.execute({ query, variables: { amounts: bad } }, testContext());
    for (const { errors = [] } of [literals, variables]) {
      expect(errors).toHaveLength(21);
      expect(errors[20]).toMatchObject({
        message: '37 more errors were left out.',
        extensions: { code: 'BAD_USER_INPUT', omitted: 37 },
      });
    }
  });
});

describe('an exact number', () => {
  test.each([
    ['10.10', '10.10'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
  ])('%s reaches the subgraph as it was written', async (literal, amount) => {
    const graph = createGraph();
    const execute = async (query: string, variables?: Record<string, unknown>) => {
      const { data, errors } = await graph.engine.execute({ query, variables }, testContext());
      expect(errors).toBeUndefined();
      return JSON.parse(String(data?.echo)) as unknown;
    };
    expect(await execute(`{ echo(amount: ${literal}) }`)).toEqual({ amount });
    expect(await execute(`{ echo(amounts: [${literal}, "1"]) }`)).toMatchObject({ amounts: [amount, '1'] });
    expect(await execute(`query ($a: Amount = ${literal}) { echo(amount: $a) }`)).toEqual({ amount });
    expect(await execute('query ($a: Amount) { echo(amount: $a) }', { a: amount })).toEqual({ amount });
    const { data } = await graph.engine.execute(
      { query: `{ pay(input: { amount: ${literal}, items: [{ amount: ${literal} }] }) }` },
      testContext(),
    );
    expect([data, graph.received]).toEqual([{ pay: 'paid' }, [{ input: { amount, items: [{ amount }] } }]]);
  });
});

describe('variables', () => {
  const query = 'query ($n: Int) { echo(n: $n) }';
  const nest = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;
  test.each<[string, Record<string, unknown>, string | undefined]>([
    ['of 31 levels', { n: 1, other: nest(31) }, undefined],
    ['of 32 levels', { n: 1, other: nest(32) }, 'BAD_USER_INPUT'],
    ['of 9,998 values', { n: 1, other: new Array(9_998).fill(0) }, undefined],
    ['of 10,001 values', { n: 1, other: new Array(9_999).fill(0) }, 'BAD_USER_INPUT'],
  ])('%s', async (_name, variables, code) => {
    const { errors } = await createGraph().engine.execute({ query, variables }, testContext());
    expect(errors?.[0]?.extensions.code).toBe(code);
  });
});

describe('without introspection no message names anything else of the schema', () => {
  test.each([
    ['a field', '{ thing { color } }', 'Cannot query field "color" on type "Thing".'],
    [
      'a field of fields',
      '{ thing { other } }',
      /^Field "other" of type "Thing" must have a selection of subfields\.$/,
    ],
    ['an argument', '{ echo(amunt: 1) }', 'Unknown argument "amunt" on field "Query.echo".'],
    [
      'a directive argument',
      '{ thing @skip(of: true, if: true) { colour } }',
      'Unknown argument "of" on directive "@skip".',
    ],
    ['a type', '{ thing { ... on Thin { colour } } }', 'Unknown type "Thin".'],
    ['a variable type', 'query ($a: Amont) { echo(amount: $a) }', /^Unknown type "Amont"\.$/],
    ['an enum value', '{ echo(kind: CARDS) }', 'The value at "kind" is not of the type "Kind".'],
    [
      'an input field',
      '{ pay(input: { amount: 1, kinds: CARD }) }',
      /"kinds" that the type "Pay" does not define\.$/,
    ],
  ])('%s', async (_name, query, message) => {
    const { errors = [] } = await createGraph(false).engine.execute({ query }, testContext());
    expect(errors[0]?.message).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
    expect(JSON.stringify(errors)).not.toMatch(/did you mean|colour|CASH/i);
  });

  test.each([
    ['an enum value', { input: { amount: '1', kind: 'CARDS' } }],
    ['an input field', { input: { amount: '1', kinds: 'CARD' } }],
  ])('%s in a variable', async (_name, variables) => {
    const { errors } = await createGraph(false).engine.execute(
      { query: AS_VARIABLE, variables },
      testContext(),
    );
    expect(JSON.stringify(errors)).not.toMatch(/did you mean|CASH/i);
  });

  test('with it they do', async () => {
    const { errors } = await createGraph().engine.execute({ query: '{ thing { color } }' }, testContext());
    expect(errors?.[0]?.message).toContain('Did you mean "colour"?');
  });
});
