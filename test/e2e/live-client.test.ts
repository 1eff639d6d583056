import { beforeAll, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { createLiveClient, type LiveClientOptions, type LiveState } from '../../gateway/client/index.ts';
import type { Deployment } from '../support/deployment.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference, queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import type { Server } from '../support/server.ts';
import { until } from '../support/until.ts';

const LIST = '{ latestEventCursor requestMonies { nodes { referenceId } } }';
const FOLLOW = `subscription ($after: String) {
  requestMoneyStatusChanged(after: $after) { cursor requestMoney { referenceId } }
}`;

interface Listed {
  readonly requestMonies: { readonly nodes: readonly { readonly referenceId: string }[] };
}

interface Changed {
  readonly requestMoneyStatusChanged: { readonly requestMoney: { readonly referenceId: string } };
}

const scene = useScene();
let deployment: Deployment;
let server: Server;
let exchange: Exchange;
beforeAll(async () => {
  deployment = await scene.deploy({ env: { SUBSCRIPTION_DRAIN_SECONDS: '0' } });
  server = await deployment.start();
  exchange = exchangeWith(server.url);
});

async function create(): Promise<string> {
  const referenceId = newReference();
  expect((await createMoneyRequest(exchange, moneyRequestBody(referenceId))).status).toBe(201);
  return referenceId;
}

/** Lists and follows in the background. It gets references; those of a list come as one text. */
function follow(options: Pick<LiveClientOptions, 'credential'> & Partial<LiveClientOptions>) {
  const client = createLiveClient({
    url: `${server.url}/graphql`,
    webSocket: WebSocket,
    backoff: { baseMs: 100, capMs: 500 },
    ...options,
  });
  const states: LiveState[] = [];
  const got: string[] = [];
  const items = client.listThenFollow<Listed, Changed>({
    list: { query: LIST },
    follow: { query: FOLLOW },
    onState: (state) => void states.push(state),
  });
  const done = (async () => {
    for await (const item of items) {
      got.push(
        item.kind === 'list'
          ? item.data.requestMonies.nodes.map(({ referenceId }) => referenceId).join(' ')
          : item.data.requestMoneyStatusChanged.requestMoney.referenceId,
      );
    }
  })();
  done.catch(() => undefined);
  scene.atEnd(async () => client.close());
  return { got, states, done, close: client.close };
}

test('clients of both transports list, then have each change once, over a restart of the server', async () => {
  const listed = await create();
  const credential = { apiKey: KEYS.acme };
  const clients = (['websocket', 'sse'] as const).map((transport) => follow({ credential, transport }));
  const areLive = () => clients.every(({ states }) => states.at(-1)?.name === 'live');
  await until('both live', areLive);
  const created = [await create()];
  const haveAll = () => clients.every(({ got }) => created.every((reference) => got.includes(reference)));
  await until('the event', haveAll);
  await server.kill('SIGTERM');
  await until('both gone', () => clients.every(({ states }) => states.at(-1)?.name === 'resuming'));
  await server.restart('all');
  created.push(await create(), await create());
  await until('the events', haveAll);
  await until('both live again', areLive);
  for (const { got, close, done } of clients) {
    close();
    await done;
    expect(got.slice(0, 1)).toEqual([expect.stringContaining(listed)]);
    // A list that is read before the event of its newest record has a number: then that event follows.
    expect([created, [listed, ...created]]).toContainEqual(got.slice(1));
  }
});

test('a browser token that is revoked is replaced, and no event is missed', async () => {
  const tokens: string[] = [];
  const makeToken = async () => {
    const mutation =
      'mutation { createBrowserToken(input: { expiresInMinutes: 5 }) { token browserToken { id } } }';
    const { data } = await queryGraph<{
      createBrowserToken: { token: string; browserToken: { id: string } };
    }>(exchange, mutation);
    const { token = '', browserToken } = data?.createBrowserToken ?? {};
    tokens.push(String(browserToken?.id));
    return token;
  };
  const clients = (['websocket', 'sse'] as const).map((transport) =>
    follow({ credential: { browserToken: makeToken }, transport }),
  );
  await until('both live', () => clients.every(({ states }) => states.at(-1)?.name === 'live'));
  for (const id of [...tokens]) {
    await queryGraph(
      exchange,
      'mutation ($id: ID!) { revokeBrowserToken(input: { id: $id }) { browserToken { id } } }',
      {
        id,
      },
    );
  }
  await until('both gone', () =>
    clients.every(({ states }) => states.some(({ name }) => name === 'resuming')),
  );
  const referenceId = await create();
  await until('the event', () => clients.every(({ got }) => got.length > 1));
  for (const { got } of clients) {
    expect(got.slice(1)).toEqual([referenceId]);
  }
});

test('a key that is not valid ends it at once', async () => {
  for (const transport of ['websocket', 'sse'] as const) {
    const { done, states } = follow({ credential: { apiKey: 'wrong' }, transport });
    await expect(done).rejects.toMatchObject({ code: 'UNAUTHENTICATED', isFinal: true });
    expect(states.map(({ name }) => name)).not.toContain('live');
  }
});
