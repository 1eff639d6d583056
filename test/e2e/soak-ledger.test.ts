/** @only-in-full */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { findOnPath } from '../../subgraphs/dev-store/which.ts';
import { withStand } from '../bench/stand.ts';
import { type LedgerSoakReport, runLedgerSoak } from '../soak/ledger/run.ts';

/** A little of `npm run soak:ledger`. */
const SIZE = { operations: 300, kills: 6, minutes: 3, patienceMs: 180_000 };

/** SecantusDB in Python keeps for a minute what a killed process had begun: payers would wait too long. */
const describeSoak = findOnPath('secantusd-rs', process.env) ? describe : describe.skip;

describeSoak('a journal whose servers are killed', () => {
  let report: LedgerSoakReport;
  beforeAll(async () => {
    // A store of its own: one keeps for a minute what a killed process had begun.
    await withStand(async (stand) => {
      report = await runLedgerSoak({ ...SIZE, stand, progress: () => undefined });
    });
  }, 600_000);

  test('agrees with a recomputation from its events, and each fault of files and exports is found', () => {
    expect(report.problems).toEqual([]);
  });

  test('had work when its servers were killed', () => {
    expect(report.kills.some((calls) => calls.length > 0)).toBe(true);
    expect(report.payments).toBeGreaterThan(0);
    expect(report.imports.reduce((sum, { faults }) => sum + faults, 0)).toBeGreaterThan(0);
    expect(report.tampered).toBeGreaterThan(50);
    expect(report.statements).toBeGreaterThan(100);
  });
});
