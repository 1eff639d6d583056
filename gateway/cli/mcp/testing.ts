import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  buildSchema,
  execute,
  type GraphQLOutputType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  parse,
} from 'graphql';
import { z } from 'zod';
import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import { documentHash } from '../../http/documents/document-hash.ts';
import { createReadGraph, READ_DOCUMENTS, type ReadDocument, readDocument } from './documents.ts';
import { createMcpServer } from './server.ts';

/** The schema of clients. */
export const schema = buildSchema(readFileSync(join(projectRoot(), 'schema', 'api.graphql'), 'utf8'));

/** Fields of the type String or ID whose texts this product makes. */
export const SERVER_TEXTS: ReadonlySet<string> = new Set([
  'id',
  'deliveryId',
  'linkId',
  'status',
  'previousStatus',
  'phase',
]);

type Answer = (name: ReadDocument, variables: Record<string, unknown>) => unknown;

const bodySchema = z.strictObject({
  variables: z.record(z.string(), z.unknown()),
  extensions: z.strictObject({
    persistedQuery: z.strictObject({ version: z.literal(1), sha256Hash: z.string() }),
  }),
});

/** A server that knows the read documents, and no other. @param answer its data, or an error to answer */
export function serverOf(answer: Answer): typeof fetch {
  const names = new Map(READ_DOCUMENTS.map((name) => [documentHash(readDocument(name)), name]));
  return async (_url, init) => {
    const { variables, extensions } = bodySchema.parse(JSON.parse(String(init?.body)));
    const name = names.get(extensions.persistedQuery.sha256Hash);
    if (name === undefined) {
      throw new Error('The document is not one of the read documents');
    }
    const result = await answer(name, variables);
    return Response.json(result, { headers: { 'x-request-id': 'req_1' } });
  };
}

/** Runs each document on the schema of clients, where each text of others is `textOf()`, and each list has one item of each type. */
export function fullAnswer(textOf: () => string): Answer {
  return (name, variables) =>
    execute({
      schema,
      document: parse(readDocument(name)),
      variableValues: variables,
      fieldResolver: (source: Readonly<Record<string, unknown>>, _args, _context, info) =>
        source?.[info.fieldName] ??
        ROOTS[info.fieldName] ??
        sampleOf(info.returnType, String(info.path.key), textOf()),
      typeResolver: ({ __typename }: { readonly __typename: string }) => __typename,
    });
}

const FOUND = [
  ...['Operation', 'RequestMoney', 'Remittance', 'Reservation', 'User', 'Link', 'Contact'],
  ...['PaymentMethod', 'WebhookDelivery'],
];
const ROOTS: Readonly<Record<string, unknown>> = {
  search: FOUND.map((__typename) => ({ node: { __typename } })),
  node: { __typename: 'Operation' },
};

const SCALARS: Readonly<Record<string, unknown>> = {
  Int: 1,
  Float: 1,
  Boolean: false,
  Date: '2000-01-01',
  DateTime: '2026-01-01T00:00:00.000Z',
  Decimal: '1.00',
  CountryCode: 'MX',
  CurrencyCode: 'MXN',
};

function sampleOf(type: GraphQLOutputType, field: string, text: string): unknown {
  if (isNonNullType(type)) {
    return sampleOf(type.ofType, field, text);
  }
  if (isListType(type)) {
    const item = getNullableType(type.ofType);
    return isAbstractType(item)
      ? schema.getPossibleTypes(item).map(({ name }) => ({ __typename: name }))
      : [sampleOf(item, field, text)];
  }
  if (isEnumType(type)) {
    return type.getValues()[0]?.value;
  }
  if (isObjectType(type)) {
    return {};
  }
  if (isScalarType(type) && ['String', 'ID'].includes(type.name)) {
    return SERVER_TEXTS.has(field) ? 'server_1' : text;
  }
  return SCALARS[type.name];
}

interface Called {
  /** The one content. */
  readonly raw: string;
  /** The structured content. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

/** A client of the tools. */
export interface TestClient {
  readonly client: Client;
  call(name: string, args: Record<string, unknown>): Promise<Called>;
  close(): Promise<void>;
}

/** Connects a client in this process. @param send takes the calls to the product */
export async function connectClient(
  send: typeof fetch,
  { key = 'raas_sandbox_x', withAnswers = true } = {},
): Promise<TestClient> {
  const graph = createReadGraph({ url: new URL('http://localhost:4000'), key, fetch: send });
  const server = createMcpServer({ graph, withAnswers });
  const client = new Client({ name: 'test', version: '1' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  await client.connect(ours);
  return {
    client,
    call: async (name, args) => readResult(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}

function readResult(answer: unknown): Called {
  const { content, structuredContent = {}, isError = false } = CallToolResultSchema.parse(answer);
  const [only, ...others] = content;
  if (only?.type !== 'text' || others.length > 0) {
    throw new Error('An answer has one text');
  }
  return { raw: only.text, data: structuredContent, isError };
}

const ESCAPE = /\\u\{([0-9a-f]+)\}|\\u([0-9a-f]{4})/g;

/** A text as it is stored, of what an answer shows. */
export function restore(shown: string): string {
  return shown.replaceAll(ESCAPE, (_whole, long?: string, short?: string) =>
    long === undefined
      ? String.fromCharCode(Number.parseInt(String(short), 16))
      : String.fromCodePoint(Number.parseInt(long, 16)),
  );
}
