import { describe, expect, test } from '@jest/globals';
import { createGuardedGraph, engineOver, holding, NOBODY, outcome } from '../testing/guarded-graph.ts';

const graph = createGuardedGraph();

async function execute(query: string, context = NOBODY, engine = graph.engine) {
  graph.fetches.length = 0;
  const result = await engine.execute({ query }, context);
  return { ...outcome(result), fetched: graph.fetches.map(({ document }) => document).join('\n') };
}

describe('a field of an interface', () => {
  test('requires the scopes of every type that implements it', async () => {
    const { data, errors, fetched } = await execute('{ works { title notes } }');
    expect(data).toEqual({
      works: [
        { title: 'Sung', notes: null },
        { title: 'Shown', notes: null },
      ],
    });
    expect(errors).toEqual(['works.0.notes UNAUTHENTICATED', 'works.1.notes UNAUTHENTICATED']);
    expect(fetched).not.toContain('notes');
    expect((await execute('{ works { title notes } }', holding())).errors).toEqual([]);
  });

  test('requires for one type only the scopes of that type', async () => {
    const query = '{ works { title ... on Film { notes } ... on Song { notes } } }';
    const { data, errors } = await execute(query);
    expect(data).toEqual({
      works: [
        { title: 'Sung', notes: null },
        { title: 'Shown', notes: 'long' },
      ],
    });
    expect(errors).toEqual(['works.0.notes UNAUTHENTICATED']);
  });

  test('is denied for objects of one type, even if no other field of that type is selected', async () => {
    const { data, errors } = await execute('{ works { title ... on Song { notes } } }');
    expect(data).toEqual({ works: [{ title: 'Sung', notes: null }, { title: 'Shown' }] });
    expect(errors).toEqual(['works.0.notes UNAUTHENTICATED']);
  });

  test.each([
    '{ works { notes ... on Film { notes } } }',
    '{ works { ... on Film { notes } notes } }',
    '{ works { ... on Film { notes } ...All } } fragment All on Work { notes }',
  ])('is null when one of its selections is denied: %s', async (query) => {
    const { data, errors } = await execute(query);
    expect(data).toEqual({ works: [{ notes: null }, { notes: null }] });
    expect(errors).toEqual(['works.0.notes UNAUTHENTICATED', 'works.1.notes UNAUTHENTICATED']);
  });
});

test('a selection that this request excludes denies nothing', async () => {
  const query =
    'query ($on: Boolean!) { works { ... on Film { notes } ...All @include(if: $on) } } fragment All on Work { notes }';
  for (let run = 0; run < 4; run++) {
    const result = await graph.engine.execute({ query, variables: { on: false } }, NOBODY);
    expect(outcome(result)).toEqual({ data: { works: [{}, { notes: 'long' }] }, errors: [] });
  }
});

describe('an interface that composition guards because of one of its types', () => {
  const query = '{ pieces { title } version }';

  test('is denied where it is returned', async () => {
    const { data, errors, fetched } = await execute(query);
    expect(data).toBeNull();
    expect(errors).toEqual(['pieces UNAUTHENTICATED']);
    expect(fetched).not.toContain('pieces');
    expect((await execute(query, holding('closed'))).data).toEqual({
      pieces: [{ title: 'o' }, { title: 'c' }],
      version: '1',
    });
  });

  test('is guarded field by field where an older composition left it open', async () => {
    const open = graph.supergraphSdl.replace(/(interface Piece [^{]*?)@requiresScopes\(.*?\) \{/, '$1{');
    expect(open).not.toBe(graph.supergraphSdl);
    const engine = engineOver(graph, open);
    expect(await execute('{ pieces { __typename title } }', holding('x'), engine)).toMatchObject({
      data: {
        pieces: [
          { __typename: 'Open', title: null },
          { __typename: 'Closed', title: null },
        ],
      },
      errors: ['pieces.0.title FORBIDDEN', 'pieces.1.title FORBIDDEN'],
    });
    const byType = '{ pieces { ... on Open { title } ... on Closed { title } } }';
    expect(await execute(byType, holding('x'), engine)).toMatchObject({
      data: { pieces: [{ title: 'o' }, { title: null }] },
      errors: ['pieces.1.title FORBIDDEN'],
    });
  });
});

test('each type of a union keeps its own requirements', async () => {
  const query =
    '{ things { __typename ...Titles } } fragment Titles on Thing { ...O ... on Closed { shut: title } } fragment O on Open { title }';
  const { data, errors, fetched } = await execute(query, holding('x'));
  expect(data).toEqual({
    things: [
      { __typename: 'Open', title: 'o' },
      { __typename: 'Closed', shut: null },
    ],
  });
  expect(errors).toEqual(['things.1.shut FORBIDDEN']);
  expect(fetched).not.toContain('shut');
});

test('a fragment that is spread in many places is guarded in each', async () => {
  const query = '{ me { ...Card boss { ...Card } } users { ...Card } } fragment Card on User { name secret }';
  const { data, errors } = await execute(query);
  const card = (name: string) => ({ name, secret: null });
  expect(data).toEqual({ me: { ...card('Ann'), boss: card('Bob') }, users: [card('Ann'), card('Bob')] });
  expect(errors).toEqual(
    ['me.secret', 'me.boss.secret', 'users.0.secret', 'users.1.secret'].map(
      (path) => `${path} UNAUTHENTICATED`,
    ),
  );
});
