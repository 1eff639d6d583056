import { describe, expect, test } from '@jest/globals';
import { print, printSchema } from 'graphql';
import { readSupergraph } from './supergraph.ts';

const SUPERGRAPH = `
  schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION)
    @link(url: "https://specs.apollo.dev/inaccessible/v0.2", as: "hide", for: SECURITY)
    @link(url: "https://specs.apollo.dev/tag/v0.3", import: [{ name: "@tag", as: "@label" }])
    @link(url: "https://example.com/access/v1.0", import: ["@access"]) { query: Query }
  directive @access(to: access__Scope! = ALL) on FIELD
  enum access__Scope { ALL SOME }
  directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
  directive @join__type(graph: join__Graph!, key: join__FieldSet, resolvable: Boolean) repeatable on OBJECT | INTERFACE
  directive @join__field(graph: join__Graph, requires: join__FieldSet) repeatable on FIELD_DEFINITION
  directive @join__graph(name: String!, url: String!) on ENUM_VALUE
  directive @hide on FIELD_DEFINITION | OBJECT | ENUM_VALUE | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | INTERFACE
  directive @label(name: String) repeatable on OBJECT
  directive @live(every: Int = 1) on QUERY | FIELD
  enum join__Graph { ONE @join__graph(name: "one-1", url: "http://one") TWO @join__graph(name: "Two", url: "") }
  scalar join__FieldSet
  scalar link__Import
  enum link__Purpose { SECURITY EXECUTION }
  "Starts here."
  type Query @join__type(graph: ONE) { "A thing." thing(id: ID!, internal: Int @hide): Thing any: Any old: Int @deprecated(reason: "x") }
  interface Named @hide { name: String }
  type Thing implements Named @label(name: "a") @join__type(graph: ONE, key: "id") @join__type(graph: ONE, key: "org { code }")
    @join__type(graph: TWO, key: "id", resolvable: false) {
    id: ID! name: String @hide org: Org price(currency: String): Int ship: Int @join__field(graph: TWO, requires: "price(currency: \\"EUR\\") org { code }")
  }
  type Org { code: ID! }
  type Secret @hide @join__type(graph: ONE) { id: ID! }
  union Any = Thing | Secret
  enum State { UP DOWN @hide }
  scalar JSON @specifiedBy(url: "https://json.org")
  input Filter { state: State = UP hidden: Int @hide }
`;

describe('readSupergraph', () => {
  const supergraph = readSupergraph(SUPERGRAPH);

  test('the public schema has no composition directives and no hidden parts', () => {
    const sdl = printSchema(supergraph.publicSchema);
    expect(sdl).not.toMatch(/join__|link__|hide|label|Secret|Named|internal|hidden|DOWN|name: String$/m);
    expect(sdl).toContain('"""Starts here."""\ntype Query {\n  """A thing."""\n  thing(id: ID!): Thing');
    expect(sdl).toContain('old: Int @deprecated(reason: "x")');
    expect(sdl).toContain('directive @live(every: Int = 1) on QUERY | FIELD');
    expect(sdl).toContain('directive @access(to: access__Scope! = ALL) on FIELD');
    expect(sdl).toContain('enum access__Scope');
    expect(sdl).toContain('union Any = Thing');
    expect(sdl).toContain('state: State = UP');
    expect(sdl).toContain('scalar JSON @specifiedBy(url: "https://json.org")');
  });

  test('hidden parts stay hidden if the directive is imported under another name', () => {
    const imported = SUPERGRAPH.replace('as: "hide"', 'import: [{ name: "@inaccessible", as: "@hide" }]');
    expect(printSchema(readSupergraph(imported).publicSchema)).toBe(printSchema(supergraph.publicSchema));
  });

  test('the full schema has the hidden parts', () => {
    const sdl = printSchema(supergraph.fullSchema);
    expect(sdl).not.toMatch(/join__|link__|@hide|@label/);
    for (const part of ['Secret', 'implements Named', 'internal: Int', 'hidden: Int', 'DOWN']) {
      expect(sdl).toContain(part);
    }
  });

  test('subgraphs, keys, field names, partly hidden types', () => {
    expect(supergraph.subgraphs).toEqual([
      { name: 'one-1', url: 'http://one' },
      { name: 'Two', url: '' },
    ]);
    const keys = (subgraph: string) =>
      supergraph.types.keys('Thing', subgraph).map((key) => print(key).replace(/\s+/g, ' '));
    expect(keys('one-1')).toEqual(['{ id }', '{ org { code } }']);
    expect(keys('Two')).toEqual([]);
    expect([...supergraph.fieldNames.own].sort()).toEqual(['code', 'id', 'org', 'price']);
    expect([...supergraph.partlyHiddenTypes]).toEqual(['Any']);
  });

  test('knows types', () => {
    const { types } = supergraph;
    expect(types.satisfies('Thing', 'Thing')).toBe(true);
    expect(types.satisfies('Thing', 'Named')).toBe(true);
    expect(types.satisfies('Secret', 'Any')).toBe(true);
    expect(types.satisfies('Org', 'Any')).toBe(false);
    expect(types.isObjectType('Named')).toBe(false);
    expect(types.isNonNullField('Thing', 'id')).toBe(true);
    expect(types.isNonNullField('Thing', 'org')).toBe(false);
    expect(types.isNonNullField('Thing', 'nothing')).toBe(false);
  });

  test('a schema that is no supergraph is an error', () => {
    expect(() => readSupergraph('type Query { a: Int }')).toThrow('it has no enum join__Graph');
  });
});
