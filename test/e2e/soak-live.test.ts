/** @only-in-full */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../bench/processes.ts';
import { runSoak, type SoakReport } from '../soak/run.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { TEST_URI_VARIABLE } from '../support/test-database.ts';
import { setTransactionLifetime, USUAL_LIFETIME_SECONDS } from '../support/transaction-lifetime.ts';

/** A little of `npm run soak:live`. */
const SIZE = { changes: 50, changesPerSecond: 25, clients: 8, patienceMs: 60_000 };
/** How a connection ends with its gateway: of WebSocket, of an event stream, of the package, of a process that was killed. */
const ENDS_OF_RESTARTS = ['close 1012', 'retry', 'package CONNECTION_LOST', 'close 1006', 'no connection'];
const uri = process.env[TEST_URI_VARIABLE] ?? '';

const scene = useScene();
let report: SoakReport;
let restarts: number;
afterAll(() => setTransactionLifetime(uri, USUAL_LIFETIME_SECONDS));
beforeAll(async () => {
  // Where a store keeps the transactions of a process that was killed for a minute, no process is killed.
  restarts = (await setTransactionLifetime(uri, 4)) ? 2 : 1;
  const deployment = await scene.deploy({
    processes: true,
    env: { SUBSCRIPTION_BUFFER_EVENTS: '5', SUBSCRIPTION_DRAIN_SECONDS: '0' },
  });
  report = await runSoak({
    ...SIZE,
    restarts,
    env: deployment.env,
    ports: [await freePort(), await freePort()],
    key: KEYS.acme,
    connection: await deployment.database(),
    progress: () => undefined,
  });
});

test('Clients have each change once and in order, while one gateway is stopped and another one killed', () => {
  expect(report.problems).toEqual([]);
  expect(report.changes).toBeGreaterThan(SIZE.changes / 2);
  expect(report.events).toBeGreaterThan(report.changes);
  // Which clients a restart meets depends on the machine: a slow one may have moved to the other gateway before.
  const ends = [...report.ends.keys()];
  expect(ends).toContain('stopped');
  expect(ends.filter((end) => ENDS_OF_RESTARTS.includes(end))).not.toEqual([]);
});
