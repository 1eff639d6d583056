import { ApolloClient } from '@apollo/client';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '@urql/core';
import { parse } from 'graphql';
import { createOperationDescriptor, type Environment, fetchQuery, requestSubscription } from 'relay-runtime';
import WebSocket from 'ws';
import { curlRequest } from '../../gateway/build/docs/curl.ts';
import { readCommands } from '../../gateway/build/docs/shell.ts';
import { createLiveClient, type LiveClient } from '../../gateway/client/index.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import {
  createMoneyRequest,
  moneyRequestBody,
  newReference,
  updateStatus,
} from '../support/money-requests.ts';
import { compiled, linked, scalar } from '../support/relay-artifacts.ts';
import { runCurl } from '../support/run-curl.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { checkTypes, readUntil, type Snippets, writeSnippets } from '../support/snippets.ts';
import { until } from '../support/until.ts';

// The examples of gateway/client/README.md, as they stand there, against the real server.

const HEADERS = { 'X-API-Key': KEYS.acme };
const LIST = 'query List { latestEventCursor requestMonies { nodes { nodeId referenceId status } } }';
const FOLLOW = `subscription Follow($after: String) {
  requestMoneyStatusChanged(after: $after) { cursor requestMoney { nodeId referenceId status } }
}`;
const DECLARATIONS = `
declare const items: import('remitgraph/client').LiveIterator<import('remitgraph/client').LiveEvent<unknown>>;
declare function show(kind: string, data: unknown): void;
declare function showError(error: unknown): void;
`;

interface Listed {
  readonly latestEventCursor: string;
  readonly requestMonies: {
    readonly nodes: readonly { readonly referenceId: string; readonly status: string }[];
  };
}

const scene = useScene();
let snippets: Snippets;
let exchange: Exchange;
let url: string;
let live: LiveClient;
beforeAll(async () => {
  snippets = writeSnippets('gateway/client/README.md', { 'ts callback': DECLARATIONS });
  const deployment = await scene.deploy();
  const server = await deployment.start();
  exchange = exchangeWith(server.url);
  url = `${server.url}/graphql`;
  live = createLiveClient({ url, credential: { apiKey: KEYS.acme }, webSocket: WebSocket });
  scene.atEnd(async () => live.close());
});
afterAll(() => snippets.remove());

async function create(): Promise<string> {
  const referenceId = newReference();
  expect((await createMoneyRequest(exchange, moneyRequestBody(referenceId))).status).toBe(201);
  return referenceId;
}

/** The status of a money request in what a list shows. */
const statusIn = (list: Listed | undefined, referenceId: string) =>
  list?.requestMonies.nodes.find((node) => node.referenceId === referenceId)?.status;

/** The view of a list in a client. */
interface Screen {
  /** The latest list. */
  list(): Listed | undefined;
  follow(after: string): void;
  close(): void;
}

/** Changes a record of a list that is shown, and waits until the list shows the change, which came as an event. */
async function expectToStayUpToDate(openScreen: () => Screen): Promise<void> {
  const referenceId = await create();
  const screen = openScreen();
  try {
    await until('the list', () => statusIn(screen.list(), referenceId) === 'PENDING');
    screen.follow(String(screen.list()?.latestEventCursor));
    await updateStatus(exchange, { referenceId, status: 'processing' });
    await until('the change', () => statusIn(screen.list(), referenceId) === 'PROCESSING');
  } finally {
    screen.close();
  }
}

test('Apollo Client shows a list that events keep up to date', async () => {
  interface Module {
    createApollo(uri: string, headers: object, live: LiveClient): ApolloClient;
  }
  const { createApollo } = await snippets.load<Module>('ts apollo');
  await expectToStayUpToDate(() => {
    const client = createApollo(url, HEADERS, live);
    expect(client).toBeInstanceOf(ApolloClient);
    let list: Listed | undefined;
    const opened = [
      client.watchQuery<Listed>({ query: parse(LIST) }).subscribe(({ data, dataState }) => {
        list = dataState === 'complete' ? data : list;
      }),
    ];
    return {
      list: () => list,
      follow: (after) =>
        void opened.push(
          client.subscribe({ query: parse(FOLLOW), variables: { after } }).subscribe(() => undefined),
        ),
      close: () => {
        for (const subscription of opened) {
          subscription.unsubscribe();
        }
        client.stop();
      },
    };
  });
});

test('urql shows a list that events keep up to date', async () => {
  interface Module {
    createUrql(url: string, headers: object, live: LiveClient): Client;
  }
  const { createUrql } = await snippets.load<Module>('ts urql');
  await expectToStayUpToDate(() => {
    const client = createUrql(url, HEADERS, live);
    let list: Listed | undefined;
    const opened = [
      client.query<Listed>(LIST, {}).subscribe(({ data }) => {
        list = data ?? list;
      }),
    ];
    return {
      list: () => list,
      follow: (after) => void opened.push(client.subscription(FOLLOW, { after }).subscribe(() => undefined)),
      close: () => {
        for (const subscription of opened) {
          subscription.unsubscribe();
        }
      },
    };
  });
});

test('Relay shows a list that events keep up to date', async () => {
  interface Module {
    createRelay(url: string, headers: object, live: LiveClient): Environment;
  }
  const { createRelay } = await snippets.load<Module>('ts relay');
  const fields = ['nodeId', 'referenceId', 'status'].map(scalar);
  const list = compiled('query', { name: 'List', text: LIST }, [
    scalar('latestEventCursor'),
    linked('requestMonies', { type: 'RequestMoneyConnection' }, [
      linked('nodes', { type: 'RequestMoney', isList: true }, fields),
    ]),
  ]);
  const subscription = compiled('subscription', { name: 'Follow', text: FOLLOW, variables: ['after'] }, [
    linked('requestMoneyStatusChanged', { type: 'RequestMoneyStatusEvent', variables: ['after'] }, [
      scalar('cursor'),
      linked('requestMoney', { type: 'RequestMoney' }, fields),
    ]),
  ]);
  await expectToStayUpToDate(() => {
    const environment = createRelay(url, HEADERS, live);
    const operation = createOperationDescriptor(list, {});
    const retained = environment.retain(operation);
    const fetched = fetchQuery(environment, list, {}).subscribe({});
    let followed: { dispose(): void } | undefined;
    return {
      list: () => {
        const { data, isMissingData } = environment.lookup(operation.fragment);
        return isMissingData ? undefined : (data as unknown as Listed);
      },
      follow(after) {
        followed = requestSubscription(environment, { subscription, variables: { after } });
      },
      close() {
        fetched.unsubscribe();
        followed?.dispose();
        retained.dispose();
      },
    };
  });
  expect(JSON.parse(snippets.text('json relay'))).toMatchObject({
    schemaConfig: { nodeInterfaceIdField: 'nodeId', nodeInterfaceIdVariableName: 'id' },
  });
});

test('curl reads a list, then the events after it', async () => {
  const run = (index: number, values: Readonly<Record<string, string>>) => {
    const [, ...words] = readCommands(snippets.text('sh curl'), { CURSOR: '', ...values })[index] ?? [];
    return runCurl(curlRequest(words), url);
  };
  const before = await create();
  const listed = await run(0, { KEY: KEYS.acme });
  const { data } = (await listed.json()) as { data: Listed };
  expect(data.requestMonies.nodes[0]?.referenceId).toBe(before);
  const after = await create();
  const stream = await run(1, { KEY: KEYS.acme, CURSOR: data.latestEventCursor });
  const text = await readUntil(stream, new RegExp(after));
  expect(text).toMatch(/^id: \S+\nevent: next\ndata: /m);
});

test('all examples have the types that they say', () => {
  expect(checkTypes(snippets.typed)).toEqual([0, '']);
  expect(snippets.typed.length).toBeGreaterThan(4);
});
