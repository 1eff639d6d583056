import { rename, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { composeServices } from '@theguild/federation-composition';
import { parse } from 'graphql';
import { createClient } from 'graphql-ws';
import { fetch } from 'undici';
import { WebSocket } from 'ws';
import { until } from '../../test/support/until.ts';
import { startTestGateway, type TestGateway } from './testing/gateway.ts';

let graph: TestGateway;
beforeAll(async () => {
  graph = await startTestGateway();
});
afterAll(() => graph.close());

async function send(query: string): Promise<unknown> {
  const response = await fetch(graph.gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

/** The books alone, with a field that the subgraph has had all the time. */
function booksAlone(): string {
  const { supergraphSdl } = composeServices([
    {
      name: 'books',
      url: graph.books.url,
      typeDefs: parse(`
        extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key"])
        type Query { books: [Book!]! }
        type Subscription { bookAdded: Book! }
        type Book @key(fields: "id") { id: ID! title: String! }`),
    },
  ]);
  return supergraphSdl ?? '';
}

/** As deployments do it: the file appears whole. */
async function replaceFile(text: string): Promise<void> {
  await writeFile(`${graph.supergraphFile}.new`, text);
  await rename(`${graph.supergraphFile}.new`, graph.supergraphFile);
}

test('a changed supergraph is served without a restart; running operations stay on the old one', async () => {
  const client = createClient({ url: graph.gateway.url.replace('http', 'ws'), webSocketImpl: WebSocket });
  const events = client.iterate({ query: 'subscription { bookAdded { title inStock } }' });
  graph.added.push({ bookAdded: { id: '4', title: 'Four' } });
  await events.next();

  await replaceFile(booksAlone());
  await until('the new graph', async () =>
    JSON.stringify(await send('{ books { inStock } }')).includes('inStock\\"'),
  );
  expect(await send('{ books { title } }')).toEqual({
    data: { books: [{ title: 'Emma' }, { title: 'Dune' }] },
  });

  graph.added.push({ bookAdded: { id: '5', title: 'Five' } });
  expect((await events.next()).value).toEqual({ data: { bookAdded: { title: 'Five', inStock: 50 } } });
  await events.return?.();
  await client.dispose();
});

test('a supergraph that cannot be served is logged and ignored; SIGHUP triggers an immediate check', async () => {
  await replaceFile('type Query {');
  process.emit('SIGHUP');
  await until('its error', () => graph.logged.some((line) => line.includes('supergraph.reload_failed')));
  expect(await send('{ books { title } }')).toEqual({
    data: { books: [{ title: 'Emma' }, { title: 'Dune' }] },
  });

  await replaceFile(
    booksAlone().replace(
      /type Book[^{]*\{/,
      (found) => `${found}\n  isbn: String @join__field(graph: BOOKS)\n`,
    ),
  );
  process.emit('SIGHUP');
  await until('the field', async () =>
    JSON.stringify(await send('{ __type(name: "Book") { fields { name } } }')).includes('isbn'),
  );
});
