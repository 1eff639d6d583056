import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { composeServices } from '@theguild/federation-composition';
import { parse } from 'graphql';
import { createLogger } from '../../../subgraphs/kernel/log/log.ts';
import { BoundedQueue } from '../../engine/index.ts';
import { type SubgraphServer, startSubgraph } from '../../engine/testing/index.ts';
import type { StandaloneOptions } from '../arguments.ts';
import { type StandaloneGateway, startGateway } from '../gateway.ts';

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable"])\n`;

const BOOKS = `${LINK}
  type Query { books: [Book!]! fail: Int }
  type Mutation { addBook(title: String!): Book! }
  type Subscription { bookAdded: Book! }
  type Book @key(fields: "id") { id: ID! title: String! }`;

const STOCK = `${LINK}
  type Book @key(fields: "id") { id: ID! inStock: Int! }`;

/** A small graph over HTTP, and a gateway before it. */
export interface TestGateway {
  readonly gateway: StandaloneGateway;
  readonly supergraphFile: string;
  readonly books: SubgraphServer;
  readonly stock: SubgraphServer;
  /** The events for the next subscriber to `bookAdded`. */
  readonly added: BoundedQueue<Record<string, unknown>>;
  /** How often a subscriber has left. */
  readonly left: () => number;
  readonly logged: readonly string[];
  close(): Promise<void>;
}

interface BookRecord {
  readonly id: string;
  readonly title: string;
}

/** Starts two subgraphs and a gateway on free ports. */
export async function startTestGateway(options: Partial<StandaloneOptions> = {}): Promise<TestGateway> {
  const records: BookRecord[] = [
    { id: '1', title: 'Emma' },
    { id: '2', title: 'Dune' },
  ];
  let left = 0;
  const added = new BoundedQueue<Record<string, unknown>>({
    limit: 1_000,
    returned: () => {
      left += 1;
    },
  });
  const books = await startSubgraph(
    buildSubgraphSchema([
      {
        typeDefs: parse(BOOKS),
        resolvers: {
          Query: {
            books: () => records,
            fail: () => {
              throw new Error('secret detail');
            },
          },
          Mutation: { addBook: (_source: unknown, { title }: { title: string }) => ({ id: '3', title }) },
          Subscription: { bookAdded: { subscribe: () => added } },
        },
      },
    ]),
  );
  const stock = await startSubgraph(
    buildSubgraphSchema([
      {
        typeDefs: parse(STOCK),
        resolvers: { Book: { inStock: ({ id }: { id: string }) => Number(id) * 10 } },
      },
    ]),
  );
  const composed = composeServices([
    { name: 'books', url: books.url, typeDefs: parse(BOOKS) },
    { name: 'stock', url: stock.url, typeDefs: parse(STOCK) },
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'gateway-'));
  const supergraphFile = join(folder, 'supergraph.graphql');
  await writeFile(supergraphFile, composed.supergraphSdl ?? '');
  const logged: string[] = [];
  const log = createLogger({
    level: 'warn',
    destination: { write: (line: string) => void logged.push(line) },
  });
  const gateway = await startGateway(
    {
      supergraph: supergraphFile,
      port: 0,
      host: '127.0.0.1',
      timeoutMs: 5_000,
      operationTimeoutMs: 10_000,
      forwardHeaders: [],
      subscriptions: {},
      defaultSubscriptions: { protocol: 'websocket' },
      silenceMs: 5_000,
      ...options,
    },
    log,
  );
  return {
    gateway,
    supergraphFile,
    books,
    stock,
    added,
    left: () => left,
    logged,
    async close() {
      await gateway.close();
      await books.close();
      await stock.close();
      await rm(folder, { recursive: true });
    },
  };
}
