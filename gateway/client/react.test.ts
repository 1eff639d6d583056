/** @own-process It has a page. */
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, createElement, StrictMode, useEffect } from 'react';
import { listen } from './listen.ts';
import { type LiveListOptions, type LiveRows, useLiveList } from './react.ts';
import { FAKE_CLOCK } from './testing/fake-sockets.ts';
import { closePage, openRoot } from './testing/page.ts';
import { fail, LIST, pass, type Started, SUBSCRIPTION, say, start } from './testing/started-client.ts';

interface Row {
  readonly n: number;
  readonly status?: string;
}
interface List {
  readonly latestEventCursor: string;
  readonly things: readonly Row[];
}
interface Change {
  readonly changed: Row & { readonly cursor: string };
}
type Options = LiveListOptions<
  Row,
  List,
  Change,
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, unknown>>
>;

// Updates happen within act: React reports any other one.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
beforeEach(() => void jest.useFakeTimers(FAKE_CLOCK));
afterEach(() => void jest.useRealTimers());
afterAll(closePage);

const OPTIONS: Options = {
  list: { query: LIST },
  follow: { query: SUBSCRIPTION },
  rowsOf: ({ things }) => things,
  rowOf: ({ changed }) => changed,
  keyOf: ({ n }) => String(n),
};

/** A component of the hook on a screen that a test can change. */
interface Screen {
  /** The latest output of the hook. */
  shown(): LiveRows<Row>;
  /** The numbers of its rows. */
  numbers(): readonly number[] | undefined;
  render(options: Options): Promise<void>;
  /** Does something, and lets everything happen that follows. */
  after(work?: () => void): Promise<void>;
  unmount(): Promise<void>;
}

async function show({ client }: Started, options = OPTIONS, isStrict = false): Promise<Screen> {
  let shown: LiveRows<Row> | undefined;
  const List = ({ options: given }: { readonly options: Options }) => {
    shown = useLiveList(client, given);
    return null;
  };
  const elementOf = (given: Options) => {
    const list = createElement(List, { options: given });
    return isStrict ? createElement(StrictMode, null, list) : list;
  };
  const after = async (work: () => void = () => undefined) => {
    await act(async () => {
      work();
      await pass(0);
    });
  };
  const { root } = openRoot();
  await after(() => root.render(elementOf(options)));
  const output = () => {
    if (shown === undefined) {
      throw new Error('The component was not rendered');
    }
    return shown;
  };
  return {
    shown: output,
    numbers: () => output().rows?.map(({ n }) => n),
    render: (given) => after(() => root.render(elementOf(given))),
    after,
    unmount: () => after(() => root.unmount()),
  };
}

/** Answers the latest query with a list, and accepts the connection that follows. */
async function answer(
  { http, sockets }: Started,
  screen: Screen,
  cursor: string,
  numbers: readonly number[],
) {
  const data = { latestEventCursor: cursor, things: numbers.map((n) => ({ n })) };
  await screen.after(() => http.last().json({ data }));
  await screen.after(() => sockets.last().open());
  await screen.after(() => sockets.last().say({ type: 'connection_ack' }));
}

const subscriptions = ({ sockets }: Started) =>
  sockets.opened.flatMap(({ sent }) => sent.filter(({ type }) => type === 'subscribe'));

describe('useLiveList', () => {
  test('shows the list, then each change', async () => {
    const started = start();
    const screen = await show(started);
    expect(screen.shown()).toMatchObject({ rows: undefined, state: { name: 'connecting' } });
    await answer(started, screen, 'c4', [2, 1]);
    expect([screen.numbers(), screen.shown().state]).toEqual([[2, 1], { name: 'live' }]);
    await screen.after(() => say(started, 5));
    await screen.after(() => say(started, 1));
    expect(screen.numbers()).toEqual([5, 2, 1]);
    expect(screen.shown().rows?.[2]).toMatchObject({ cursor: 'c1' });
    await screen.unmount();
  });

  test('starts once for many renders, and uses the latest functions', async () => {
    const started = start();
    const screen = await show(started);
    await answer(started, screen, 'c4', [1]);
    await screen.render({
      ...OPTIONS,
      list: { ...OPTIONS.list },
      rowOf: ({ changed }) => ({ ...changed, status: 'NEW' }),
    });
    await screen.after(() => say(started, 5));
    expect(screen.shown().rows?.[0]).toMatchObject({ n: 5, status: 'NEW' });
    expect([started.http.calls.length, subscriptions(started).length]).toEqual([1, 1]);
    await screen.unmount();
  });

  test('follows once in strict mode, where React runs effects twice', async () => {
    const started = start();
    const follow = jest.spyOn(started.client, 'listThenFollow');
    const screen = await show(started, OPTIONS, true);
    expect(follow).toHaveBeenCalledTimes(2);
    expect(started.http.calls.filter((call) => !call.isAborted())).toHaveLength(1);
    await answer(started, screen, 'c4', [1]);
    await screen.after(() => say(started, 5));
    expect([screen.numbers(), subscriptions(started).length]).toEqual([[5, 1], 1]);
    await screen.unmount();
    expect(started.sockets.opened.map((socket) => socket.closedBy())).toEqual([1000]);
  });

  test('unsubscribes when the component is unmounted, and shows nothing more', async () => {
    const started = start();
    const screen = await show(started);
    await answer(started, screen, 'c4', [1]);
    const before = screen.shown();
    await screen.unmount();
    expect(started.sockets.opened.map((socket) => socket.closedBy())).toEqual([1000]);
    await screen.after(() => say(started, 5));
    expect(screen.shown()).toBe(before);
  });

  test('cancels the query of a list when the component is unmounted', async () => {
    const started = start();
    const screen = await show(started);
    await screen.unmount();
    expect([started.http.last().isAborted(), started.sockets.opened.length]).toEqual([true, 0]);
  });

  test('keeps its rows while it reconnects, and continues after the last event', async () => {
    const started = start();
    const screen = await show(started);
    await answer(started, screen, 'c4', [1]);
    await screen.after(() => say(started, 5));
    await screen.after(() => started.sockets.last().close(1012));
    expect([screen.numbers(), screen.shown().state.name]).toEqual([[5, 1], 'resuming']);
    await act(async () => pass(1_000));
    await screen.after(() => started.sockets.last().open());
    await screen.after(() => started.sockets.last().say({ type: 'connection_ack' }));
    expect(started.sockets.last().subscription().variables).toEqual({ after: 'c5' });
    await screen.after(() => say(started, 6));
    expect([screen.numbers(), started.http.calls.length]).toEqual([[6, 5, 1], 1]);
    await screen.unmount();
  });

  test('starts again for other variables, and never shows the rows of the former ones', async () => {
    const started = start();
    const screen = await show(started, { ...OPTIONS, list: { query: LIST, variables: { first: 1 } } });
    await answer(started, screen, 'c4', [1]);
    await screen.render({ ...OPTIONS, list: { query: LIST, variables: { first: 2 } } });
    expect(screen.shown()).toMatchObject({ rows: undefined, state: { name: 'connecting' } });
    expect(started.http.last().body.variables).toEqual({ first: 2 });
    await screen.after(() =>
      started.http.last().json({ data: { latestEventCursor: 'c9', things: [{ n: 9 }] } }),
    );
    expect(screen.numbers()).toEqual([9]);
    expect(started.sockets.opened.map((socket) => socket.closedBy())).toEqual([1000, undefined]);
    await screen.unmount();
  });

  test('reads the list again once for events that came with errors', async () => {
    const started = start();
    const screen = await show(started);
    await answer(started, screen, 'c4', [1]);
    for (const n of [4, 5]) {
      await screen.after(() => say(started, n, { errors: [{ message: 'Away' }] }));
    }
    expect([screen.numbers(), started.http.calls.length]).toEqual([[1], 1]);
    await screen.after(() => void jest.advanceTimersByTime(1_000));
    expect([screen.numbers(), started.http.calls.length]).toEqual([[1], 2]);
    await answer(started, screen, 'c7', [5, 1]);
    expect(screen.numbers()).toEqual([5, 1]);
    expect(subscriptions(started).at(-1)?.payload).toMatchObject({ variables: { after: 'c7' } });
    await screen.unmount();
  });

  test('reads no list after it is unmounted', async () => {
    const started = start();
    const screen = await show(started);
    await answer(started, screen, 'c4', [1]);
    await screen.after(() => say(started, 5, { errors: [{ message: 'Away' }] }));
    await screen.unmount();
    jest.advanceTimersByTime(1_000);
    expect(started.http.calls.length).toBe(1);
  });

  test('reads no list after it has ended', async () => {
    const started = start();
    const screen = await show(started);
    await answer(started, screen, 'c4', [1]);
    await screen.after(() => say(started, 5, { errors: [{ message: 'Away' }] }));
    await screen.after(() => fail(started, 'FORBIDDEN'));
    await screen.after(() => void jest.advanceTimersByTime(1_000));
    expect([screen.shown().state.name, started.http.calls.length]).toEqual(['ended', 1]);
    await screen.unmount();
  });

  test('ignores an event without a row', async () => {
    const started = start();
    const screen = await show(started, {
      ...OPTIONS,
      rowOf: ({ changed }) => (changed.n > 5 ? changed : null),
    });
    await answer(started, screen, 'c4', [1]);
    await screen.after(() => say(started, 5));
    await screen.after(() => say(started, 6));
    expect(screen.numbers()).toEqual([6, 1]);
    await screen.unmount();
  });

  test('ends with an error that a retry cannot help, and reload starts it again', async () => {
    const started = start();
    const screen = await show(started);
    await answer(started, screen, 'c4', [1]);
    const { reload } = screen.shown();
    await screen.after(() => fail(started, 'FORBIDDEN'));
    expect(screen.shown()).toMatchObject({
      rows: [{ n: 1 }],
      state: { name: 'ended', error: { code: 'FORBIDDEN' } },
    });
    await screen.after(reload);
    expect(screen.shown()).toMatchObject({ rows: [{ n: 1 }], state: { name: 'connecting' }, reload });
    await screen.after(() =>
      started.http.last().json({ data: { latestEventCursor: 'c8', things: [{ n: 8 }] } }),
    );
    expect(screen.numbers()).toEqual([8]);
    await screen.unmount();
  });

  test.each(['rowOf', 'keyOf', 'includes', 'compare'])('ends with an error that %s throws', async (name) => {
    const started = start();
    const error = new Error('no row');
    const screen = await show(started, {
      ...OPTIONS,
      [name]: () => {
        throw error;
      },
    });
    await answer(started, screen, 'c4', [1]);
    await screen.after(() => say(started, 5));
    expect([screen.numbers(), screen.shown().state]).toEqual([[1], { name: 'ended', error }]);
    await screen.unmount();
  });
});

test('an effect of React takes the function that stops listen', async () => {
  const started = start();
  const got: number[] = [];
  const Reader = () => {
    useEffect(
      () =>
        listen(started.client.follow<Change>({ query: SUBSCRIPTION, after: 'c0' }), {
          next: ({ data }) => void got.push(data.changed.n),
          ended: () => undefined,
        }),
      [],
    );
    return null;
  };
  const { root } = openRoot();
  await act(async () => {
    root.render(createElement(Reader));
    await pass(0);
  });
  await act(() => started.sockets.last().accept());
  await act(async () => {
    say(started, 1);
    await pass(0);
  });
  await act(async () => {
    root.unmount();
    await pass(0);
  });
  expect([got, started.sockets.last().closedBy()]).toEqual([[1], 1000]);
});
