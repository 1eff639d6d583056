import { expect, test } from '@jest/globals';
import { IS_FULL } from '../../support/depth.ts';
import { describeDifference } from './describe.ts';
import { FEATURES } from './features.ts';
import { runFuzz } from './run.ts';
import { OPERATIONS_OF_A_GRAPH } from './settings.ts';
import { shrink } from './shrink.ts';

/** The same cases each time; `npm run fuzz` runs others. */
const SEED = '1';
/** The short form is as small as it can be with each feature. */
const [GRAPHS, OPERATIONS] = IS_FULL ? [20, OPERATIONS_OF_A_GRAPH] : [14, 20];
/** On a machine that does much else; at rest it is a twentieth of that. */
const MS_PER_OPERATION = 300;

test(
  `random operations over ${GRAPHS} random graphs have the answers of graphql-js over one schema (FUZZ_SEED=${SEED})`,
  async () => {
    const report = await runFuzz({
      seed: SEED,
      from: 0,
      to: GRAPHS,
      operationsOfGraph: OPERATIONS,
      without: new Set(),
    });
    const [failure] = report.failures;
    if (failure !== undefined) {
      throw new Error(describeDifference(SEED, await shrink(failure)));
    }
    expect(report.uncomposed).toBe(0);
    expect(report.operations).toBeGreaterThan(GRAPHS * OPERATIONS * 0.95);
    const all = [...FEATURES.graph, ...FEATURES.operation];
    expect(all.filter((feature) => !report.features.has(feature))).toEqual([]);
  },
  60_000 + GRAPHS * OPERATIONS * MS_PER_OPERATION,
);
