/** @only-in-full */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { runFreeze } from '../chaos/freeze.ts';
import type { KillReport } from '../chaos/judge-kills.ts';
import { STAGES, stageOf } from '../chaos/kill-points.ts';
import { runKills } from '../chaos/kills.ts';
import { TEST_URI_VARIABLE } from '../support/test-database.ts';

/** A little of `npm run chaos:webhooks`: two kills in each stage. */
const KILLS = 8;
const FROZEN_EACH = 6;
const uri = process.env[TEST_URI_VARIABLE] ?? '';

describe('webhook workers of two processes are killed with -9 while they store, claim, post and record', () => {
  let report: KillReport;
  beforeAll(async () => {
    report = await runKills({ uri, kills: KILLS, deadline: Number.POSITIVE_INFINITY });
  });

  test('each stage is struck', () => {
    const struck = new Set([...report.points.keys()].map(stageOf));
    expect([...struck].sort()).toEqual([...STAGES].sort());
    expect(report.kills).toBe(KILLS);
  });

  test('nothing is lost, only attempts in flight at a kill are repeated, and attempts are counted right', () => {
    expect(report.problems).toEqual([]);
    expect(report.stored).toBeGreaterThan(40);
    expect(report.inFlight).toBeGreaterThan(0);
    expect(report.repeats).toBeLessThanOrEqual(report.inFlight);
    expect(report.deadLettered).toBeGreaterThan(0);
  });
});

test('the results of two workers that are frozen past their leases are rejected, counted and logged', async () => {
  const frozen = 2 * FROZEN_EACH;
  expect(await runFreeze({ uri, each: FROZEN_EACH, waits: false })).toEqual({
    frozen,
    stale: frozen,
    reported: frozen,
    problems: [],
  });
});
