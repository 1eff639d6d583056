import { parseArgs } from 'node:util';
import { freePort } from '../bench/processes.ts';
import { say, withStand } from '../bench/stand.ts';
import { KEYS } from '../support/seed.ts';
import { setTransactionLifetime } from '../support/transaction-lifetime.ts';
import { runSoak } from './run.ts';

/** Of a store for the transactions of a process that was killed: until then nobody may write what they wrote. */
const TRANSACTION_LIFETIME_SECONDS = 4;
/** Where nobody listens: these changes have no webhooks. */
const NO_RECEIVER = 'https://127.0.0.1:1';

const { values: options } = parseArgs({
  options: {
    changes: { type: 'string', default: '2000' },
    'per-second': { type: 'string', default: '50' },
    clients: { type: 'string', default: '60' },
    gateways: { type: 'string', default: '2' },
    restarts: { type: 'string', default: '5' },
  },
});

/**
 * `npm run soak:live [-- --changes N --per-second N --clients N --gateways N --restarts N]`: clients follow changes over
 * WebSocket and event streams while the gateways are restarted, gracefully and by kill -9. Ends with a verdict; the exit
 * code is 0 when each client has had exactly what the log has.
 */
await withStand(async ({ database, productEnv }) => {
  const own = database();
  await setTransactionLifetime(own.uri, TRANSACTION_LIFETIME_SECONDS);
  const ports = await Promise.all(Array.from({ length: Number(options.gateways) }, () => freePort()));
  const report = await runSoak({
    changes: Number(options.changes),
    changesPerSecond: Number(options['per-second']),
    clients: Number(options.clients),
    restarts: Number(options.restarts),
    patienceMs: 60_000,
    env: productEnv(own, NO_RECEIVER, { SUBSCRIPTION_BUFFER_EVENTS: '20', SUBSCRIPTION_DRAIN_SECONDS: '2' }),
    ports,
    key: KEYS.acme,
    connection: own.connection,
    progress: say,
  });
  const ends = [...report.ends].map(([how, times]) => `${how} ${times}`).join(', ');
  say(`${options.clients} clients have had ${report.events} events of ${report.changes} changes.`);
  say(`Their connections ended: ${ends}. It took ${report.seconds.toFixed(0)} s.`);
  for (const problem of report.problems) {
    say(`  ${problem}`);
  }
  say(
    report.problems.length === 0
      ? 'Each client has had what the log has: no gap, no duplicate, in order.'
      : `It does not hold: ${report.problems.length} problems.`,
  );
  process.exitCode = report.problems.length === 0 ? 0 : 1;
});
