import { expect, test } from '@jest/globals';
import { describeDifference } from './describe.ts';
import { FEATURES } from './features.ts';
import { runFuzz } from './run.ts';
import { OPERATIONS_OF_A_GRAPH } from './settings.ts';
import { shrink } from './shrink.ts';

/** The same cases each time; `npm run fuzz` runs others. */
const SEED = '1';
const GRAPHS = 20;
/** On a machine that does much else; at rest it is a twentieth of that. */
const MS_PER_OPERATION = 300;

test(
  `random operations over ${GRAPHS} random graphs have the answers of graphql-js over one schema (FUZZ_SEED=${SEED})`,
  async () => {
    const report = await runFuzz({
      seed: SEED,
      from: 0,
      to: GRAPHS,
      operationsOfGraph: OPERATIONS_OF_A_GRAPH,
      without: new Set(),
    });
    const [failure] = report.failures;
    if (failure !== undefined) {
      throw new Error(describeDifference(SEED, await shrink(failure)));
    }
    expect(report.uncomposed).toBe(0);
    expect(report.operations).toBeGreaterThan(GRAPHS * OPERATIONS_OF_A_GRAPH * 0.95);
    const all = [...FEATURES.graph, ...FEATURES.operation];
    expect(all.filter((feature) => !report.features.has(feature))).toEqual([]);
  },
  60_000 + GRAPHS * OPERATIONS_OF_A_GRAPH * MS_PER_OPERATION,
);
