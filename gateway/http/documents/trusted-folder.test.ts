import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { DEFAULT_LIMITS } from '../../engine/index.ts';
import { createTestGraph } from '../../engine/testing/index.ts';
import { loadTrustedDocuments, readOwnDocuments } from './trusted-folder.ts';

const { engine } = createTestGraph({
  subgraphs: { one: 'type Query { a: Int hidden: Int @inaccessible }' },
  engine: { limits: DEFAULT_LIMITS },
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documents-'));
});
afterEach(() => rm(folder, { recursive: true }));

const put = (name: string, content: string | Buffer) => writeFile(join(folder, name), content);

test('a folder gives the documents of its .graphql files, byte for byte', async () => {
  const bom = '\uFEFF{ a }\r\n';
  await put('one.graphql', bom);
  await put('two.graphql', 'query A { a }\nquery B { b: a }\n');
  await put('notes.md', 'nothing');
  expect((await loadTrustedDocuments(engine, folder)).sort()).toEqual([
    'query A { a }\nquery B { b: a }\n',
    bom,
  ]);
});

test('they are planned before the first request', async () => {
  const lookups: string[] = [];
  const graph = createTestGraph({
    subgraphs: { one: 'type Query { a: Int }' },
    resolvers: { Query: { a: () => 1 } },
    engine: { hooks: [{ onLookup: (lookup) => lookups.push(lookup) }] },
  });
  await put('one.graphql', 'query A { a }');
  await put('two.graphql', 'query B { a } query C { a }');
  await loadTrustedDocuments(graph.engine, folder);
  lookups.length = 0;
  const context = { principal: null, requestId: 'r' };
  await graph.engine.execute({ query: 'query A { a }' }, context);
  await graph.engine.execute({ query: 'query A { a }', operationName: 'A' }, context);
  await graph.engine.execute({ query: 'query B { a } query C { a }', operationName: 'C' }, context);
  expect(lookups).toEqual(['hit', 'hit', 'hit']);
});

describe('an unusable document is an error that names the file', () => {
  test.each<[string, string | Buffer]>([
    ['no GraphQL', '{ a'],
    ['nothing', ''],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['an unknown field', '{ b }'],
    ['a hidden field', '{ hidden }'],
    ['one invalid operation among valid ones', 'query A { a } query B { b }'],
    ['no operation', 'fragment F on Query { a }'],
    ['more than the limits allow', `{ ${Array.from({ length: 31 }, (_, i) => `a${i}: a`).join(' ')} }`],
  ])('%s', async (_name, content) => {
    await put('good.graphql', '{ a }');
    await put('bad.graphql', content);
    const loading = loadTrustedDocuments(engine, folder);
    await expect(loading).rejects.toThrow(OperatorError);
    await expect(loading).rejects.toThrow(join(folder, 'bad.graphql'));
  });

  test('a folder in place of a file', async () => {
    await mkdir(join(folder, 'bad.graphql'));
    await expect(loadTrustedDocuments(engine, folder)).rejects.toThrow(join(folder, 'bad.graphql'));
  });

  test('a folder that does not exist', async () => {
    const gone = join(folder, 'none');
    await expect(loadTrustedDocuments(engine, gone)).rejects.toThrow(OperatorError);
    await expect(loadTrustedDocuments(engine, gone)).rejects.toThrow(gone);
  });
});

test('clients get only the documents that select nothing hidden', async () => {
  await put('hidden.graphql', '{ hidden }');
  await put('open.graphql', '{ a }');
  const own = await readOwnDocuments(engine, folder);
  expect(own.filter(({ isPublic }) => isPublic()).map(({ text }) => text)).toEqual(['{ a }']);
  await put('bad.graphql', '{');
  const bad = (await readOwnDocuments(engine, folder)).find(({ text }) => text === '{');
  expect(() => bad?.isPublic()).toThrow(join(folder, 'bad.graphql'));
});

test('which of them clients get follows the schema that is served', async () => {
  await put('one.graphql', '{ a }');
  await put('two.graphql', '{ hidden }');
  const { engine: next } = createTestGraph({
    subgraphs: { one: 'type Query { a: Int @inaccessible hidden: Int }' },
  });
  let current = engine;
  let checks = 0;
  const served: typeof engine = {
    ...engine,
    get publicSchema() {
      return current.publicSchema;
    },
    check(request) {
      checks += 1;
      return current.check(request);
    },
  };
  const own = await readOwnDocuments(served, folder);
  const texts = () => own.filter(({ isPublic }) => isPublic()).map(({ text }) => text);
  expect([texts(), texts(), checks]).toEqual([['{ a }'], ['{ a }'], 2]);
  current = next;
  expect([texts(), texts(), checks]).toEqual([['{ hidden }'], ['{ hidden }'], 4]);
});
