import { describe, expect, test } from '@jest/globals';
import { executeSync, getIntrospectionQuery, parse } from 'graphql';
import { createShopGraph, testContext } from '../../gateway/engine/testing/index.ts';

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

  test('sends nothing to a subgraph', async () => {
    graph.fetches.length = 0;
    await engine.execute({ query }, testContext());
    expect(graph.fetches).toEqual([]);
  });
});
