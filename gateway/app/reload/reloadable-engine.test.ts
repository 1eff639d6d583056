import { expect, test } from '@jest/globals';
import type { ExecutionResult } from 'graphql';
import { BoundedQueue } from '../../engine/index.ts';
import { createTestGraph, type TestContext, testContext } from '../../engine/testing/index.ts';
import { createReloadableEngine, type Graph } from './reloadable-engine.ts';

/** A gate that tests open by hand. */
function createGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

function createVersion(version: string, moreFields = '') {
  const gate = createGate();
  const events = new BoundedQueue<{ ticks: string }>({ limit: 10 });
  const { engine } = createTestGraph({
    subgraphs: {
      one: `type Query { version: String slow: String ${moreFields} } type Subscription { ticks: String }`,
    },
    resolvers: {
      Query: { version: () => version, slow: () => gate.opened.then(() => version) },
      Subscription: { ticks: { subscribe: () => events } },
    },
  });
  const state = { closed: 0 };
  const graph: Graph<TestContext> = {
    engine,
    close: async () => {
      state.closed += 1;
    },
  };
  return { graph, gate, events, state };
}

const neverFails = (error: unknown) => {
  throw error;
};
const execute = (graph: Pick<Graph<TestContext>, 'engine'>, query: string) =>
  graph.engine.execute({ query }, testContext());

test('operations end on the graph on which they began, and the graph closes after the last of them', async () => {
  const [first, second] = [createVersion('first'), createVersion('second', 'added: Int')];
  const reloadable = createReloadableEngine(first.graph, neverFails);
  const slow = execute(reloadable, '{ slow }');
  const events = await reloadable.engine.subscribe({ query: 'subscription { ticks }' }, testContext());
  await reloadable.replace(second.graph);

  expect(await execute(reloadable, '{ version added }')).toEqual({
    data: { version: 'second', added: null },
  });
  expect(reloadable.engine.publicSchema).toBe(second.graph.engine.publicSchema);
  expect(first.state.closed).toBe(0);
  first.gate.open();
  expect(await slow).toEqual({ data: { slow: 'first' } });
  expect(first.state.closed).toBe(0);

  const stream = events as AsyncIterableIterator<ExecutionResult>;
  first.events.push({ ticks: 'one' });
  expect((await stream.next()).value).toEqual({ data: { ticks: 'one' } });
  await stream.return?.();
  await stream.return?.();
  await reloadable.close();
  expect([first.state.closed, second.state.closed]).toEqual([1, 1]);
});

test('a subscription that its source ends, or that does not start, does not keep a graph open', async () => {
  const [first, second] = [createVersion('first'), createVersion('second')];
  const reloadable = createReloadableEngine(first.graph, neverFails);
  const failed = await reloadable.engine.subscribe({ query: 'subscription { none }' }, testContext());
  expect(failed).toHaveProperty('errors');
  const stream = await reloadable.engine.subscribe({ query: 'subscription { ticks }' }, testContext());
  first.events.end();
  expect(await (stream as AsyncIterableIterator<unknown>).next()).toMatchObject({ done: true });
  await reloadable.replace(second.graph);
  await reloadable.close();
  expect(first.state.closed).toBe(1);
});

test('trusted documents run on the current graph', async () => {
  const reloadable = createReloadableEngine(createVersion('first').graph, neverFails);
  const trusted = reloadable.engine.prepareTrusted('{ version }');
  await trusted.ready;
  const run = () => reloadable.engine.executeTrusted(trusted, null, testContext());
  expect(await run()).toEqual({ data: { version: 'first' } });
  await reloadable.replace(createVersion('second').graph);
  expect(await run()).toEqual({ data: { version: 'second' } });
  const later = reloadable.engine.prepareTrusted('{ slow: version }');
  await reloadable.replace(createVersion('third').graph);
  expect(await run()).toEqual({ data: { version: 'third' } });
  expect(await reloadable.engine.executeTrusted(later, null, testContext())).toEqual({
    data: { slow: 'third' },
  });
  await reloadable.close();
});

test('a trusted document that is prepared during a change of graphs runs on the new graph', async () => {
  const second = createVersion('second').graph;
  const gate = createGate();
  const slow: Graph<TestContext> = {
    ...second,
    engine: {
      ...second.engine,
      prepare: async (request) => {
        await gate.opened;
        return second.engine.prepare(request);
      },
    },
  };
  const reloadable = createReloadableEngine(createVersion('first').graph, neverFails);
  await reloadable.engine.prepare({ query: '{ version }' });
  const replaced = reloadable.replace(slow);
  const trusted = reloadable.engine.prepareTrusted('{ version }');
  gate.open();
  await replaced;
  expect(await reloadable.engine.executeTrusted(trusted, null, testContext())).toEqual({
    data: { version: 'second' },
  });
  await reloadable.close();
});

test('a graph on which a trusted document is not valid fails and is closed', async () => {
  const [first, second] = [createVersion('first', 'added: Int'), createVersion('second')];
  const reloadable = createReloadableEngine(first.graph, neverFails);
  reloadable.engine.prepareTrusted('{ added }');
  await expect(reloadable.replace(second.graph)).rejects.toThrow('added');
  expect(await execute(reloadable, '{ version }')).toEqual({ data: { version: 'first' } });
  expect([first.state.closed, second.state.closed]).toEqual([0, 1]);
  await reloadable.close();
});

test('prepared operations are planned on the next graph before it takes over', async () => {
  const lookups: string[] = [];
  const versions = [1, 2, 3].map((version) =>
    createTestGraph({
      subgraphs: { one: version === 3 ? 'type Query { b: Int }' : 'type Query { a: Int }' },
      resolvers: { Query: { a: () => version } },
      engine: { hooks: [{ onLookup: (lookup) => lookups.push(`${version}: ${lookup}`) }] },
    }),
  );
  const [first, second, third] = versions.map(
    ({ engine }): Graph<TestContext> => ({ engine, close: async () => undefined }),
  );
  const reloadable = createReloadableEngine(first!, neverFails);
  expect(await reloadable.engine.prepare({ query: '{ a }' })).toEqual([]);
  expect(await reloadable.engine.prepare({ query: '{ none }' })).toHaveLength(1);
  await reloadable.replace(second!);
  expect(await execute(reloadable, '{ a }')).toEqual({ data: { a: 2 } });
  expect(lookups).toEqual(['1: miss', '1: miss', '2: miss', '2: hit']);
  await reloadable.replace(third!);
  expect(await execute(reloadable, '{ a }')).toMatchObject({ errors: [{}] });
  await reloadable.close();
});

test('a graph that cannot be closed is reported', async () => {
  const failures: unknown[] = [];
  const broken = { ...createVersion('first').graph, close: () => Promise.reject(new Error('stuck')) };
  const reloadable = createReloadableEngine(broken, (error) => failures.push(error));
  await reloadable.replace(createVersion('second').graph);
  await reloadable.close();
  expect(failures).toEqual([new Error('stuck')]);
});
