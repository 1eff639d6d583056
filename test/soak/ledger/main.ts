import { parseArgs } from 'node:util';
import { say, table, withStand } from '../../bench/stand.ts';
import { setTransactionLifetime } from '../../support/transaction-lifetime.ts';
import { runLedgerSoak } from './run.ts';

/** Of a store for the transactions of a process that was killed: until then nobody may write what they wrote. */
const TRANSACTION_LIFETIME_SECONDS = 4;

const { values: options } = parseArgs({
  options: {
    operations: { type: 'string', default: '1000000' },
    kills: { type: 'string', default: '500' },
    minutes: { type: 'string', default: '60' },
  },
});

/**
 * `npm run soak:ledger [-- --operations N --kills N --minutes N]`: servers are killed while they number, seal and state a journal and
 * take payments; then each figure is computed anew from the events, and provider files and exports with faults are checked. Ends with a
 * verdict; the exit code is 0 when everything was found and nothing was invented.
 */
await withStand(async (stand) => {
  const { uri } = stand.database();
  await setTransactionLifetime(uri, TRANSACTION_LIFETIME_SECONDS);
  const report = await runLedgerSoak({
    stand,
    operations: Number(options.operations),
    kills: Number(options.kills),
    minutes: Number(options.minutes),
    patienceMs: 7_200_000,
    progress: say,
  });
  const interrupted = (kind: string) =>
    report.kills.filter((calls) => calls.some((one) => one === kind)).length;
  say(
    `${report.kills.length} kill -9: ${interrupted('create')} during creates, ${interrupted('atomic call')} during atomic calls, ${interrupted('status')} during changes of status.`,
  );
  say(
    `${report.payments} payments beside ${options.operations} operations; ${report.entries} entries, ${report.statements} statements, ${report.tampered} entries tampered with.`,
  );
  table(
    ['file of', 'rows', 'faults', 'seconds', 'rss MiB'],
    report.imports.map(({ accountId, rows, faults, seconds, residentMiB }) => [
      accountId,
      ...[rows, faults].map(String),
      seconds.toFixed(0),
      residentMiB.toFixed(0),
    ]),
    1,
  );
  for (const problem of report.problems) {
    say(`  ${problem}`);
  }
  say(
    report.problems.length === 0
      ? 'Everything holds.'
      : `It does not hold: ${report.problems.length} problems.`,
  );
  process.exitCode = report.problems.length === 0 ? 0 : 1;
});
