/** @only-in-full */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { devStoreServer } from '../../subgraphs/kernel/database/dev-store-server.ts';
import { withStand } from '../bench/stand.ts';
import { isWrong } from '../soak/mixed/ledger.ts';
import { type MixedSoakReport, runMixedSoak } from '../soak/mixed/run.ts';
import { TEST_URI_VARIABLE } from '../support/test-database.ts';

/** A little of `npm run soak:mixed`, at half its rates: other test files run at the same time. */
const SIZE = { seconds: 20, everySeconds: 4, subscribers: 20, rates: 0.5, patienceMs: 60_000 };

let report: MixedSoakReport;

/** SecantusDB in Python does not say how many sessions it has. */
async function reportsSessions(): Promise<boolean> {
  const client = await mongo.MongoClient.connect(process.env[TEST_URI_VARIABLE] ?? '');
  try {
    return devStoreServer(await client.db('admin').command({ buildInfo: 1 })) !== 'python';
  } finally {
    await client.close();
  }
}

const describeSoak = (await reportsSessions()) ? describe : describe.skip;

describeSoak('A server that does all kinds of work at once', () => {
  beforeAll(async () => {
    const run = async (stand: Parameters<Parameters<typeof withStand>[0]>[0]) => {
      report = await runMixedSoak({ ...SIZE, stand, progress: () => undefined });
    };
    await withStand(run, process.env[TEST_URI_VARIABLE]);
  });

  test('loses nothing and does nothing twice', () => {
    expect(report.ledger.filter(isWrong)).toEqual([]);
    // The dead receiver's partner has creates, too.
    expect(report.ledger.map(({ name }) => name)).toContain('webhooks for dead, stored');
    expect(report.ledger.every(({ expected }) => expected > 0)).toBe(true);
  });

  test('is offered all of it', () => {
    expect(report.behind).toEqual([]);
  });

  test('reports what it holds', () => {
    for (const { name, points } of report.courses) {
      expect([name, points.length, points.every(({ value }) => value >= 0)]).toEqual([name, 5, true]);
    }
    expect(report.courses.length).toBe(8);
  });
});
