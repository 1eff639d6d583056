import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ExecutionResult } from 'graphql';
import { print } from 'graphql';
import { createQueryPlanner } from '../planner/query-planner.ts';
import { readSupergraph } from '../supergraph/supergraph.ts';
import type { TestContext } from '../testing/graph.ts';
import { calls, createGuardedGraph, engineOver, holding, NOBODY, outcome } from '../testing/guarded-graph.ts';

const graph = createGuardedGraph();

beforeEach(() => {
  calls.length = 0;
  graph.fetches.length = 0;
});

async function eventsOf(query: string, context: TestContext): Promise<ExecutionResult[]> {
  const started = await graph.engine.subscribe({ query }, context);
  if (!(Symbol.asyncIterator in started)) {
    return [started];
  }
  const events: ExecutionResult[] = [];
  for await (const event of started) {
    events.push(event);
  }
  return events;
}

describe('a mutation', () => {
  const query = 'mutation { first: touch rename(name: "Eve") { name } last: touch }';

  test('does not run denied fields', async () => {
    expect(outcome(await graph.engine.execute({ query }, holding('read')))).toEqual({
      data: { first: 'touched', rename: null, last: 'touched' },
      errors: ['rename FORBIDDEN'],
    });
    expect(calls).toEqual(['touch', 'touch']);
  });

  test('runs them for authorized callers', async () => {
    expect(outcome(await graph.engine.execute({ query }, holding('write')))).toEqual({
      data: { first: 'touched', rename: { name: 'Eve' }, last: 'touched' },
      errors: [],
    });
    expect(calls).toEqual(['touch', 'rename', 'touch']);
  });
});

describe('a subscription', () => {
  test('does not start when its root field is denied', async () => {
    const [failed] = await eventsOf('subscription { now: ticks }', NOBODY);
    expect(outcome(failed ?? {})).toEqual({ data: null, errors: ['now UNAUTHENTICATED'] });
    expect(failed).not.toHaveProperty('data');
    expect(calls).toEqual([]);
    expect((await eventsOf('subscription { now: ticks }', holding())).map(outcome)).toEqual([
      { data: { now: 1 }, errors: [] },
    ]);
  });

  test('denies fields below the root in every event', async () => {
    const events = await eventsOf('subscription { people { name secret } }', NOBODY);
    expect(events.map(outcome)).toEqual(
      ['Ann', 'Bob'].map((name) => ({
        data: { people: { name, secret: null } },
        errors: ['people.secret UNAUTHENTICATED'],
      })),
    );
  });
});

describe('plans', () => {
  const query = '{ me { name ssn email secret } }';
  const callers: readonly [TestContext, string[]][] = [
    [NOBODY, ['me.ssn', 'me.email', 'me.secret']],
    [holding(), ['me.ssn', 'me.email']],
    [holding('pii'), ['me.ssn']],
    [holding('admin'), ['me.email']],
    [holding('pii', 'read'), []],
  ];

  test('are kept apart for callers with different missing scopes, at the same time too', async () => {
    const order = [0, 4, 1, 3, 2, 4, 0, 2, 1, 3];
    const results = await Promise.all(
      order.map((index) => graph.engine.execute({ query }, callers[index]?.[0] ?? NOBODY)),
    );
    const failed = results.map((result) => (result.errors ?? []).map(({ path }) => path?.join('.')));
    expect(failed).toEqual(order.map((index) => callers[index]?.[1]));
  });

  test('are planned once for all callers with the same missing scopes', async () => {
    const planned: string[] = [];
    const lookups: string[] = [];
    const { supergraphSdl } = graph;
    const planner = createQueryPlanner({ supergraph: readSupergraph(supergraphSdl) });
    const { engine } = createGuardedGraph({
      hooks: [{ onLookup: (lookup) => lookups.push(lookup) }],
      planner: {
        ...planner,
        plan: (operation) => {
          planned.push(print(operation.operation));
          return planner.plan(operation);
        },
      },
    });
    for (const scopes of [['admin'], ['pii', 'read', 'admin'], ['admin', 'other'], ['pii', 'read']]) {
      await engine.execute({ query }, holding(...scopes));
      await engine.execute({ query }, holding(...scopes));
    }
    expect(planned.map((document) => document.includes('email'))).toEqual([true, false]);
    expect(lookups).toEqual(['miss', ...Array.from({ length: 7 }, () => 'hit')]);
  });

  test('of trusted documents are checked with the same rules', async () => {
    const trusted = graph.engine.prepareTrusted(query);
    await trusted.ready;
    const run = async (context: TestContext) =>
      outcome(await graph.engine.executeTrusted(trusted, null, context)).errors;
    expect(await run(holding('pii', 'read'))).toEqual([]);
    expect(await run(holding('pii'))).toEqual(['me.ssn FORBIDDEN']);
    expect(await run(NOBODY)).toHaveLength(3);
    expect(await run(holding('pii', 'read'))).toEqual([]);
  });
});

describe('the directives', () => {
  const query = '{ me { secret ssn } }';
  const renamed = graph.supergraphSdl
    .replaceAll('@authenticated', '@known')
    .replaceAll('@requiresScopes', '@needs');

  test.each([
    ['by `as`', (spec: string, name: string) => `specs.apollo.dev/${spec}/v0.1", as: "${name}"`],
    [
      'by an import',
      (spec: string, name: string) =>
        `specs.apollo.dev/${spec}/v0.1", import: [{ name: "@${spec}", as: "@${name}" }]`,
    ],
  ])('are known by the names that the supergraph gives them %s', async (_how, link) => {
    const sdl = renamed
      .replace('specs.apollo.dev/authenticated/v0.1"', link('authenticated', 'known'))
      .replace('specs.apollo.dev/requiresScopes/v0.1"', link('requiresScopes', 'needs'));
    const result = outcome(await engineOver(graph, sdl).execute({ query }, NOBODY));
    expect(result).toEqual({
      data: { me: { secret: null, ssn: null } },
      errors: ['me.secret UNAUTHENTICATED', 'me.ssn UNAUTHENTICATED'],
    });
  });

  test('are ignored under an unlinked name', async () => {
    const result = await engineOver(graph, renamed).execute({ query }, NOBODY);
    expect(outcome(result)).toEqual({ data: { me: { secret: 'secret of Ann', ssn: '111' } }, errors: [] });
  });

  test('are absent from the public schema', () => {
    expect(graph.engine.publicSchema.getDirective('authenticated')).toBeUndefined();
    expect(graph.engine.publicSchema.getType('requiresScopes__Scope')).toBeUndefined();
  });
});
