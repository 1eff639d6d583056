import { expect, test } from '@jest/globals';
import { isInputObjectType, printType } from 'graphql';
import { type TestResolver, testContext } from '../../gateway/engine/testing/index.ts';
import { answers, describeGraph } from './support/suite.ts';

/** Returns the arguments that arrived. */
const echo: TestResolver = (_source, args) => JSON.stringify(args);

/** `@apollo/subgraph` knows it only if the subgraph defines it. */
const ONE_OF = 'directive @oneOf on INPUT_OBJECT';
const BY = 'input By @oneOf { id: ID email: String range: Range }';
const RANGE = 'input Range @oneOf { from: Int to: Int }';
const MESSAGE = 'The value at "by" must have exactly one field of the type "By".';

describeGraph(
  '@oneOf',
  {
    subgraphs: {
      people: `
        type Query { person(by: By!): String people(by: [By!]!): String thing: Thing }
        type Thing @key(fields: "id") { id: ID! }
        ${ONE_OF} ${BY} ${RANGE}`,
      more: `
        type Thing @key(fields: "id") { id: ID! more(by: By): String }
        ${ONE_OF} ${BY} ${RANGE}`,
    },
    resolvers: {
      Query: { person: echo, people: echo, thing: () => ({ id: '1' }) },
      Thing: { more: echo },
    },
    references: { Thing: ({ id }) => ({ id }) },
  },
  (graph) => {
    answers(graph, [
      { name: 'a literal', query: '{ person(by: { id: "1" }) }' },
      { name: 'a variable', query: 'query($by: By!) { person(by: $by) }', variables: { by: { email: 'a' } } },
      {
        name: 'a variable as the field',
        query: 'query($id: ID!) { person(by: { id: $id }) }',
        variables: { id: '1' },
      },
      { name: 'a default', query: 'query($by: By! = { id: "1" }) { person(by: $by) }' },
      { name: 'one in another', query: '{ person(by: { range: { from: 1 } }) }' },
      {
        name: 'a list',
        query: 'query($by: [By!]!) { people(by: $by) }',
        variables: { by: [{ id: '1' }, { range: { to: 2 } }] },
      },
      {
        name: 'another subgraph',
        query: 'query($by: By) { thing { more(by: $by) other: more(by: { email: "a" }) } }',
        variables: { by: { id: '1' } },
      },
      { name: 'no value at all', query: 'query($by: By) { thing { more(by: $by) } }' },
    ]);

    const fail = async (query: string, variables?: Record<string, unknown>) => {
      graph().fetches.length = 0;
      const { errors, ...rest } = await graph().engine.execute({ query, variables }, testContext());
      expect(rest).not.toHaveProperty('data');
      expect(graph().fetches).toEqual([]);
      return errors?.map(({ message, extensions: { code } }) => ({ message, code }));
    };

    test.each([
      ['none', '{ person(by: {}) }'],
      ['two', '{ person(by: { id: "1", email: "a" }) }'],
      ['null', '{ person(by: { id: null }) }'],
      ['one and null', '{ person(by: { id: "1", email: null }) }'],
    ])('a literal with %s is refused before any subgraph is asked', async (_name, query) => {
      expect(await fail(query)).toEqual([{ message: MESSAGE, code: 'GRAPHQL_VALIDATION_FAILED' }]);
    });

    test.each<[string, Record<string, unknown>]>([
      ['none', {}],
      ['two', { id: '1', email: 'a' }],
      ['null', { id: null }],
      ['one and null', { id: '1', email: null }],
    ])('a variable with %s is refused before any subgraph is asked', async (_name, by) => {
      expect(await fail('query($by: By!) { person(by: $by) }', { by })).toEqual([
        { message: `Variable "$by": ${MESSAGE}`, code: 'BAD_USER_INPUT' },
      ]);
    });

    test('one inside of another, and in a list, is checked where it is', async () => {
      expect(await fail('query($by: By!) { person(by: $by) }', { by: { range: {} } })).toEqual([
        {
          message: 'Variable "$by": The value at "by.range" must have exactly one field of the type "Range".',
          code: 'BAD_USER_INPUT',
        },
      ]);
      expect(await fail('{ people(by: [{ id: "1" }, {}]) }')).toEqual([
        { message: MESSAGE.replace('"by"', '"by[1]"'), code: 'GRAPHQL_VALIDATION_FAILED' },
      ]);
    });

    test.each([
      ['expected as non-null', 'query($id: ID) { person(by: { id: $id }) }'],
      ['with a default', 'query($id: ID = "1") { person(by: { id: $id }) }'],
      ['expected as nullable', 'query($id: ID) { thing { more(by: { id: $id }) } }'],
      ['in a list', 'query($id: ID) { people(by: [{ id: $id }]) }'],
      ['in place of a list', 'query($id: ID) { people(by: { id: $id }) }'],
      ['in a fragment', 'query($id: ID) { ...F } fragment F on Query { person(by: { id: $id }) }'],
    ])('a field takes no variable that may be null, in an input that is %s', async (_name, query) => {
      expect(await fail(query, { id: '1' })).toEqual([
        { message: expect.stringMatching(/non-null/), code: 'GRAPHQL_VALIDATION_FAILED' },
      ]);
    });

    test('the public schema and introspection show it', async () => {
      const { engine } = graph();
      const type = engine.publicSchema.getType('By');
      expect(isInputObjectType(type) && type.isOneOf).toBe(true);
      expect(type && printType(type)).toContain('input By @oneOf {');
      const query = '{ by: __type(name: "By") { isOneOf } thing: __type(name: "Thing") { isOneOf } }';
      const { data } = await engine.execute({ query }, testContext());
      expect(data).toEqual({ by: { isOneOf: true }, thing: { isOneOf: null } });
    });
  },
);
