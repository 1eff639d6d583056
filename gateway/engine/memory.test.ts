/** @own-process It measures the heap, and changes the flags of V8. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { createTestGraph, type TestGraph, testContext } from './testing/graph.ts';

setFlagsFromString('--expose-gc');
// V8 keeps generated code for a while by its text, and gives it up when memory is short. The test measures the engine alone.
setFlagsFromString('--no-compilation-cache');
const collect = runInNewContext('gc') as () => void;

const FIELDS = Array.from({ length: 20 }, (_, index) => `f${index}`);
const MEGABYTE = 1024 * 1024;

function createGraph(operationCacheBytes: number): TestGraph {
  return createTestGraph({
    engine: { operationCacheBytes, operationCacheSize: 100_000 },
    subgraphs: {
      things: `type Query { thing(id: Int): Thing } type Thing { ${FIELDS.map((name) => `${name}: String`).join(' ')} a: Thing b: Thing }`,
    },
    resolvers: {
      Query: { thing: () => ({}) },
      Thing: { a: (_source, _args) => ({}), b: () => ({}) },
    },
  });
}

/** 400 characters that select more than 1,200 fields: fragments write them out again and again. */
const expanding = (id: number) => `{ thing(id: ${id}) { ...A } }
  fragment A on Thing { a { ...B } b { ...B } ...F } fragment B on Thing { a { ...C } b { ...C } ...F }
  fragment C on Thing { a { ...D } b { ...D } ...F } fragment D on Thing { a { ...E } b { ...E } ...F }
  fragment E on Thing { a { ...F } b { ...F } ...F } fragment F on Thing { ${FIELDS.join(' ')} }`;

async function heapAfter(settle: () => Promise<void>): Promise<number> {
  await settle();
  for (let round = 0; round < 3; round++) {
    collect();
    // References that are held weakly go at the end of a turn.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return process.memoryUsage().heapUsed;
}

test('distinct short and large operations take no more than the allowed memory', async () => {
  const allowed = 12 * MEGABYTE;
  const graph = createGraph(allowed);
  const run = async (id: number) => {
    for (let time = 0; time < 4; time++) {
      const { errors } = await graph.engine.execute({ query: expanding(id) }, testContext());
      expect(errors).toBeUndefined();
    }
  };
  const before = await heapAfter(() => run(0));
  const after = await heapAfter(async () => {
    for (let id = 1; id <= 12; id++) {
      await run(id);
      graph.fetches.length = 0;
    }
  });
  // Unbounded, these 12 take more than 40 MiB.
  expect(after - before).toBeLessThan(allowed);
}, 120_000);
