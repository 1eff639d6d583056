import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import type { EngineContext } from '../context.ts';
import { codeOf, context, createGate, createHarness, mutation, query } from '../testing/http-harness.ts';
import type { SubgraphFetch } from './transport.ts';

const { serve, connect, close } = createHarness();
afterEach(close);

/** A context with a group of callers that may share answers. */
interface GroupContext extends EngineContext {
  readonly group: string | null;
}

describe('identical queries', () => {
  async function send(
    requests: readonly [SubgraphFetch, Record<string, unknown>, string | null][],
    upstream: number,
  ) {
    const gate = createGate();
    const server = await serve(gate.intercept);
    const transport = connect(server.url, { shareBy: ({ group }: GroupContext) => group });
    const pending = requests.map(([fetch, variables, group]) =>
      transport.execute(fetch, variables, { ...context(), group }),
    );
    await until('the requests upstream', () => gate.waiting() === upstream);
    gate.release();
    const answers = await Promise.all(pending);
    expect(server.received).toHaveLength(upstream);
    return answers;
  }

  test('of one group that come together are sent once, and each caller gets its own copy', async () => {
    const [first, second] = await send(
      [
        [query, { n: 1 }, 'one'],
        [query, { n: 1 }, 'one'],
      ],
      1,
    );
    expect(first).toEqual({ data: { a: 1 } });
    expect(second).toEqual(first);
    expect(second?.data).not.toBe(first?.data);
  });

  test.each<[string, SubgraphFetch, Record<string, unknown>, string | null, string | null]>([
    ['of two groups', query, { n: 1 }, 'one', 'two'],
    ['of callers without a group', query, { n: 1 }, null, null],
    ['with other variables', query, { n: 2 }, 'one', 'one'],
    ['that are mutations', mutation, { n: 1 }, 'one', 'one'],
  ])('%s are sent twice', async (_name, fetch, variables, first, second) => {
    const firstFetch = fetch === mutation ? mutation : query;
    await send(
      [
        [firstFetch, { n: 1 }, first],
        [fetch, variables, second],
      ],
      2,
    );
  });

  test("that come later are sent together after it, because its answer may be older than their callers' writes", async () => {
    const gate = createGate();
    const server = await serve(gate.intercept);
    const transport = connect(server.url, { shareBy: () => '' });
    const earlier = transport.execute(query, {}, context());
    await until('the first query upstream', () => gate.waiting() === 1);
    const later = [1, 2, 3].map(() => transport.execute(query, {}, context()));
    const leaving = new AbortController();
    const left = codeOf(transport.execute(query, {}, context({ signal: leaving.signal })));
    leaving.abort('left');
    expect(await left).toBe('left');
    expect(server.received).toHaveLength(1);
    gate.release();
    expect(await earlier).toEqual({ data: { a: 1 } });
    expect(await Promise.all(later)).toEqual(later.map(() => ({ data: { a: 1 } })));
    expect(server.received).toHaveLength(2);
  });

  test('do not wait for an earlier one whose callers have all left', async () => {
    const gate = createGate();
    const server = await serve(gate.intercept);
    const transport = connect(server.url, { shareBy: () => '' });
    const leaving = new AbortController();
    const left = codeOf(transport.execute(query, {}, context({ signal: leaving.signal })));
    await until('the first query upstream', () => gate.waiting() === 1);
    const waiting = transport.execute(query, {}, context());
    leaving.abort('left');
    expect(await left).toBe('left');
    await until('the second query upstream', () => server.received.length === 2);
    gate.release();
    expect(await waiting).toEqual({ data: { a: 1 } });
  });

  test.each([undefined, 'the other'])(
    'are not sent for a caller that has already left (beside %s)',
    async (other) => {
      const gate = createGate();
      const server = await serve(gate.intercept);
      const transport = connect(server.url, { shareBy: () => '' });
      const staying = other === undefined ? undefined : transport.execute(query, {}, context());
      const left = codeOf(transport.execute(query, {}, context({ signal: AbortSignal.abort('left') })));
      expect(await left).toBe('left');
      gate.release();
      expect(await staying).toEqual(other === undefined ? undefined : { data: { a: 1 } });
      expect(server.received).toHaveLength(other === undefined ? 0 : 1);
    },
  );

  test('continue when one caller leaves, and end with the last', async () => {
    const gate = createGate();
    let closed = 0;
    const server = await serve((request, response, incoming) => {
      response.once('close', () => {
        closed += 1;
      });
      return gate.intercept(request, response, incoming);
    });
    const transport = connect(server.url, { shareBy: () => '' });
    const leaving = [new AbortController(), new AbortController()] as const;
    const pending = leaving.map(({ signal }) => codeOf(transport.execute(query, {}, context({ signal }))));
    const joined = transport.execute(query, {}, context());
    await until('a request upstream', () => gate.waiting() === 1);
    leaving[0].abort('first');
    expect(await pending[0]).toBe('first');
    leaving[1].abort('second');
    expect(await pending[1]).toBe('second');
    gate.release();
    expect(await joined).toEqual({ data: { a: 1 } });
    expect(server.received).toHaveLength(1);
    const alone = new AbortController();
    const again = createGate();
    const other = await serve((request, response, incoming) => {
      response.once('close', () => {
        closed = -1;
      });
      return again.intercept(request, response, incoming);
    });
    const last = codeOf(
      connect(other.url, { shareBy: () => '' }).execute(query, {}, context({ signal: alone.signal })),
    );
    await until('another request upstream', () => again.waiting() === 1);
    alone.abort('last');
    expect(await last).toBe('last');
    await until('the connection closed', () => closed === -1);
    again.release();
  });
});
