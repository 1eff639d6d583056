import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse, validate } from 'graphql';
import { createComparison } from './compare.ts';
import { createFuzzGraph } from './graph.ts';
import { type GeneratedOperation, writeOperation } from './operations.ts';

const RUNS = Number(process.env.FUZZ_RUNS ?? 1_000);
/** By default the same operations each time; `random`, or a seed that a failure has printed, gives others. */
const SEED = process.env.FUZZ_SEED ?? '1';
const MS_PER_RUN = 200;
/** The part of the operations that the planner may fail to plan; see `known-limits.test.ts`. */
const MOST_UNPLANNED = 0.001;

test(
  `${RUNS} random operations have the answers of graphql-js over one schema`,
  async () => {
    const state = { ticks: 0, isAsync: false };
    const graph = createFuzzGraph(state);
    const { compare, counts } = createComparison(graph, state);
    const isValid = ({ query }: GeneratedOperation) => validate(graph.monolith, parse(query)).length === 0;
    const operations = fc
      .array(fc.nat(1_023), { minLength: 1, maxLength: 150, size: 'max' })
      .map((numbers) => writeOperation(graph.monolith, numbers))
      .filter(isValid);
    const property = fc.asyncProperty(operations, async (operation) => {
      graph.fetches.length = 0;
      graph.internalErrors.length = 0;
      expect({ operation, difference: await compare(operation) }).toEqual({ operation, difference: null });
    });
    const seed = SEED === 'random' ? {} : { seed: Number(SEED) };
    await fc.assert(property, { numRuns: RUNS, ...seed });
    expect(counts.failed).toBeLessThan(RUNS * MOST_UNPLANNED);
  },
  60_000 + RUNS * MS_PER_RUN,
);
