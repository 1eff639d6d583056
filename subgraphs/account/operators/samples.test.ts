import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createSampleModel, createSamples, type Samples } from './samples.ts';

const NOW = Date.parse('2026-11-23T08:00:00.000Z');
const MINUTE_MS = 60_000;

let database: Database;
let now: number;
let waiting: number;
let samples: Samples;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  const model = createSampleModel(database.connection);
  await model.deleteMany({});
  now = NOW;
  waiting = 0;
  samples = createSamples({
    model,
    queues: async () => [
      {
        name: 'webhooks',
        waiting,
        due: 1,
        leased: 0,
        later: 0,
        stuck: null,
        oldestSeconds: 3,
        overdueSeconds: 2,
      },
    ],
    events: async () => ({ unnumbered: 4, lagMs: 250 }),
    clock: () => new Date(now),
  });
});
afterAll(() => database.close());

describe('Samples of the platform', () => {
  test('say how queues and event log stood', async () => {
    expect(await samples.read()).toEqual([]);
    waiting = 7;
    await samples.take();
    expect(await samples.read()).toEqual([
      {
        at: new Date(NOW),
        unnumbered: 4,
        lagMs: 250,
        queues: [{ name: 'webhooks', waiting: 7, overdueSeconds: 2 }],
      },
    ]);
  });

  test('are those of the last hour, and no more are stored', async () => {
    for (let minute = 0; minute < 65; minute += 1) {
      now = NOW + minute * MINUTE_MS;
      waiting = minute;
      await samples.take();
    }
    const found = await samples.read();
    expect(found.map(({ queues }) => queues[0]?.waiting)).toEqual(
      Array.from({ length: 60 }, (_, index) => index + 5),
    );
    const [stored] = await createSampleModel(database.connection).find().lean();
    expect(stored?.samples).toHaveLength(61);
    now += 40 * MINUTE_MS;
    expect(await samples.read()).toHaveLength(20);
  });
});
