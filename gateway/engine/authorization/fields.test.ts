import { describe, expect, test } from '@jest/globals';
import { createGuardedGraph, holding, NOBODY, outcome } from '../testing/guarded-graph.ts';

const graph = createGuardedGraph();

async function execute(query: string, context = NOBODY, variables: Record<string, unknown> = {}) {
  graph.fetches.length = 0;
  const result = await graph.engine.execute({ query, variables }, context);
  return { ...outcome(result), fetched: graph.fetches.map(({ document }) => document).join('\n') };
}

describe('a guarded field', () => {
  test('is answered to authorized callers', async () => {
    const { data, errors } = await execute('{ me { name secret tier } }', holding());
    expect(data).toEqual({ me: { name: 'Ann', secret: 'secret of Ann', tier: 'GOLD' } });
    expect(errors).toEqual([]);
  });

  test('is null with an error for other callers, which get the rest; no subgraph is called for it', async () => {
    const { data, errors, fetched } = await execute('{ me { name secret } version }');
    expect(data).toEqual({ me: { name: 'Ann', secret: null }, version: '1' });
    expect(errors).toEqual(['me.secret UNAUTHENTICATED']);
    expect(fetched).toContain('name');
    expect(fetched).not.toContain('secret');
  });

  test.each([
    [['pii', 'read'], 0],
    [['read', 'other', 'pii'], 0],
    [['admin'], 0],
    [['pii'], 1],
    [['read'], 1],
    [[], 1],
  ])('takes all scopes of one of its lists: %j', async (scopes, failures) => {
    const { data, errors } = await execute('{ me { ssn } }', holding(...scopes));
    expect(data).toEqual({ me: { ssn: failures === 0 ? '111' : null } });
    expect(errors).toEqual(failures === 0 ? [] : ['me.ssn FORBIDDEN']);
  });

  test.each<[string[], string, string[]]>([
    [['pii'], 'the scope read', ['read']],
    [['other'], 'the scope admin', ['admin']],
  ])(
    'names what the caller with %j lacks of the list that it is nearest to',
    async (held, words, missingScopes) => {
      const { errors = [] } = await graph.engine.execute({ query: '{ me { a: ssn } }' }, holding(...held));
      expect(errors.map(({ message, extensions }) => ({ message, extensions }))).toEqual([
        {
          message: `User.ssn takes ${words}, which the caller does not have.`,
          extensions: { code: 'FORBIDDEN', missingScopes },
        },
      ]);
    },
  );

  test('names no scopes to unknown callers', async () => {
    const { errors = [] } = await graph.engine.execute({ query: '{ me { ssn } }' }, NOBODY);
    expect(errors.map(({ message, extensions }) => ({ message, extensions }))).toEqual([
      { message: 'User.ssn takes a known caller.', extensions: { code: 'UNAUTHENTICATED' } },
    ]);
  });

  test('is denied because of the type that it returns: objects, scalars, enums', async () => {
    const query = '{ vault { gold } me { email tier } }';
    const { data, errors, fetched } = await execute(query);
    expect(data).toEqual({ vault: null, me: { email: null, tier: null } });
    expect(errors).toEqual(['vault UNAUTHENTICATED', 'me.email UNAUTHENTICATED', 'me.tier UNAUTHENTICATED']);
    expect(fetched).not.toMatch(/vault|gold|email|tier/);
    expect(await execute(query, holding('admin', 'pii'))).toMatchObject({
      data: { vault: { gold: 1 }, me: { email: 'ann@example.org', tier: 'GOLD' } },
      errors: [],
    });
  });

  test('is denied under every alias, at every depth and in every item of a list', async () => {
    const { data, errors } = await execute(
      '{ users { a: secret name friends(first: 1) { b: secret c: name } } }',
    );
    expect(data).toEqual({
      users: [
        { a: null, name: 'Ann', friends: [{ b: null, c: 'Bob' }] },
        { a: null, name: 'Bob', friends: [{ b: null, c: 'Ann' }] },
      ],
    });
    expect(errors).toEqual([
      'users.0.a UNAUTHENTICATED',
      'users.0.friends.0.b UNAUTHENTICATED',
      'users.1.a UNAUTHENTICATED',
      'users.1.friends.0.b UNAUTHENTICATED',
    ]);
  });

  test('is not sent to a subgraph if nothing else is selected', async () => {
    const { data, errors, fetched } = await execute('{ vault { gold } }', holding('other'));
    expect({ data, errors, fetched }).toEqual({
      data: { vault: null },
      errors: ['vault FORBIDDEN'],
      fetched: '',
    });
  });

  test('does not remove the object around it', async () => {
    expect(await execute('{ me { secret } }')).toMatchObject({
      data: { me: { secret: null } },
      errors: ['me.secret UNAUTHENTICATED'],
    });
  });

  test('of another subgraph is not fetched there', async () => {
    const { data, errors } = await execute('{ me { name score } }');
    expect(data).toEqual({ me: { name: 'Ann', score: null } });
    expect(errors).toEqual(['me.score UNAUTHENTICATED']);
    expect(graph.fetches.map(({ subgraph }) => subgraph)).toEqual(['people']);
  });

  test('can still be fetched as a key, but is not shown', async () => {
    const { data, errors, fetched } = await execute(
      '{ me { number n: number reviews { stars } } }',
      holding('x'),
    );
    expect(data).toEqual({ me: { number: null, n: null, reviews: [{ stars: 5 }] } });
    expect(errors).toEqual(['me.number FORBIDDEN', 'me.n FORBIDDEN']);
    expect(fetched).toContain('number');
  });

  test('is not an error where it was not selected', async () => {
    const query =
      'query ($on: Boolean!) { me { name secret @include(if: $on) } vault @skip(if: true) { gold } }';
    for (let run = 0; run < 4; run++) {
      expect(await execute(query, NOBODY, { on: false })).toMatchObject({
        data: { me: { name: 'Ann' } },
        errors: [],
      });
      expect(await execute(query, NOBODY, { on: true })).toMatchObject({
        data: { me: { name: 'Ann', secret: null } },
        errors: ['me.secret UNAUTHENTICATED'],
      });
    }
  });

  test('is removed together with its variables', async () => {
    const query = 'query ($on: Boolean!) { version vault @include(if: $on) { gold } }';
    const { data, errors } = await execute(query, NOBODY, { on: true });
    expect(data).toEqual({ version: '1', vault: null });
    expect(errors).toEqual(['vault UNAUTHENTICATED']);
    expect(graph.fetches.map(({ variables }) => variables)).toEqual([{}]);
  });
});

describe('a guarded field that is not nullable', () => {
  test('makes the object around it null, with one error', async () => {
    const { data, errors } = await execute('{ me { name boss { name mustHave } } }', holding('x'));
    expect(data).toEqual({ me: { name: 'Ann', boss: null } });
    expect(errors).toEqual(['me.boss.mustHave FORBIDDEN']);
  });

  test('makes all data null, in a list of non-null items', async () => {
    const { data, errors } = await execute('{ version users { mustHave } }', holding('x'));
    expect(data).toBeNull();
    expect(errors).toEqual(['users.0.mustHave FORBIDDEN', 'users.1.mustHave FORBIDDEN']);
  });

  test('makes all data null at the root', async () => {
    const { data, errors, fetched } = await execute('{ version safe { gold } }', holding('x'));
    expect(data).toBeNull();
    expect(errors).toEqual(['safe FORBIDDEN']);
    expect(fetched).not.toContain('safe');
  });
});

test('introspection and __typename need no scopes', async () => {
  const query = '{ __typename __type(name: "Vault") { name } me { __typename } vault { __typename gold } }';
  expect(await execute(query)).toMatchObject({
    data: { __typename: 'Query', __type: { name: 'Vault' }, me: { __typename: 'User' }, vault: null },
    errors: ['vault UNAUTHENTICATED'],
  });
});
