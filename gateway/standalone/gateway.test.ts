import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fetch } from 'undici';
import { OperatorError } from '../../subgraphs/kernel/errors/operator-error.ts';
import { createLogger } from '../../subgraphs/kernel/log/log.ts';
import { readArguments } from './arguments.ts';
import { startGateway } from './gateway.ts';
import { startTestGateway, type TestGateway } from './testing/gateway.ts';

let graph: TestGateway;
beforeAll(async () => {
  graph = await startTestGateway();
});
afterAll(() => graph.close());

const log = createLogger({ level: 'silent' });

async function issueOf(...args: string[]): Promise<string> {
  const options = readArguments(args);
  if ('issues' in options) {
    return options.issues.join();
  }
  const error = await startGateway(options, log).catch((thrown: unknown) => thrown);
  return error instanceof OperatorError ? error.message : `not an operator's error: ${String(error)}`;
}

describe('it does not start', () => {
  test('without the file', async () => {
    expect(await issueOf('--supergraph', `${graph.supergraphFile}.none`)).toContain('cannot be read: ENOENT');
  });

  test.each([
    ['text that is no document', 'type {', 'is not a Federation 2 supergraph: Syntax Error'],
    ['a plain schema', 'type Query { a: Int }', 'it has no enum join__Graph'],
  ])('with %s', async (_name, text, message) => {
    const file = `${graph.supergraphFile}.other`;
    await writeFile(file, text);
    expect(await issueOf('--supergraph', file)).toContain(message);
  });

  test('over subgraphs without a usable URL', async () => {
    const file = `${graph.supergraphFile}.other`;
    const enumeration =
      'enum join__Graph { A @join__graph(name: "a", url: "") B @join__graph(name: "b", url: "ftp://x") }';
    await writeFile(file, `type Query { a: Int } ${enumeration}`);
    expect(await issueOf('--supergraph', file)).toContain('a (""), b ("ftp://x")');
  });

  test('with subscriptions of an unknown subgraph', async () => {
    const args = ['--supergraph', graph.supergraphFile, '--subscriptions', 'nope=sse'];
    expect(await issueOf(...args)).toContain('nope, which the supergraph does not have');
  });

  test('where another listens', async () => {
    const { port } = new URL(graph.gateway.url);
    expect(await issueOf('--supergraph', graph.supergraphFile, '--port', port)).toContain('EADDRINUSE');
  });
});

test('health reports live and ready', async () => {
  for (const path of ['/health/live', '/health/ready']) {
    const response = await fetch(new URL(path, graph.gateway.url));
    expect([response.status, await response.json()]).toMatchObject([200, { status: 'ok' }]);
  }
});

test('it waits for running requests when it closes', async () => {
  const own = await startTestGateway();
  const answer = fetch(own.gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ books { inStock } }"}',
  });
  while (own.books.received.length === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  await own.gateway.close();
  expect(await (await answer).json()).toEqual({ data: { books: [{ inStock: 10 }, { inStock: 20 }] } });
  await expect(fetch(own.gateway.url)).rejects.toThrow('fetch failed');
  await own.close();
});
