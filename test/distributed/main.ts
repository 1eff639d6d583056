import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { withStand } from '../bench/stand.ts';
import { readCases } from '../contract/fixture.ts';
import { needsNoProviders } from '../contract/live-run.ts';
import { seedCallers } from '../support/atomic-calls.ts';
import { revokeSeededKey } from '../support/deployment.ts';
import { exchangeWith } from '../support/http.ts';
import { partnerTenants } from '../support/partner-tenants.ts';
import { startProviders } from '../support/providers.ts';
import { startReceiver } from '../support/receiver.ts';
import { answerAsSandbox } from '../support/sandbox-answers.ts';
import { addToSeed, INTERNAL_KEY } from '../support/seed.ts';
import { storeStatement } from '../support/statements.ts';
import { createTestCertificate } from '../support/test-certificate.ts';
import { setTransactionLifetime } from '../support/transaction-lifetime.ts';
import { COPIES } from './copies.ts';
import { judgeRuns } from './effects.ts';
import { LEFT_OUT, nameOf, startFixtures } from './fixtures.ts';
import { startFleet } from './fleet.ts';
import { isAllDone, isAllNotified, judge } from './judge.ts';
import { followLive } from './live.ts';
import { startLoad } from './load.ts';
import { killEach, quiet, rollEach, STAGES } from './phases.ts';
import { report } from './report.ts';
import { roundRobin } from './round-robin.ts';

/** Of a store for the transactions of a process that was killed: until then nobody may write what they wrote. */
const TRANSACTION_LIFETIME_SECONDS = 4;
const PATIENCE_MS = 60_000;

/** The changes of a fast test to the settings of compose.yaml: how long things wait. */
const FASTER = {
  // Longer than gateways keep unused connections to subgraphs, as in compose.yaml.
  DRAIN_SECONDS: '5',
  SUBSCRIPTION_DRAIN_SECONDS: '1',
  PIPELINE_SWEEP_SECONDS: '1',
  PIPELINE_LEASE_SECONDS: '15',
  // Longer than a killed process's transaction lives, shorter than a case waits for an outcome.
  PIPELINE_RETRY_SECONDS: '1,1,1,1,1,1,1,1',
  WEBHOOK_SWEEP_SECONDS: '1',
  WEBHOOK_RETRY_SECONDS: '1,1,1,1,1',
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
  // The contract's fixtures have keys of both.
  ENVIRONMENTS: 'sandbox,live',
};

const { values: options } = parseArgs({
  options: {
    copies: { type: 'string', default: '2' },
    'down-ms': { type: 'string', default: '1500' },
  },
});

/**
 * `npm run e2e:distributed [-- --copies N --down-ms N]`: the roles of compose.yaml as processes, under load and under the
 * contract's fixtures: one of each role is killed and started again, then all are replaced one after the other. The exit code
 * is 0 when nothing was lost, done twice or answered wrong, and only requests under way at a kill failed.
 */
await withStand(async ({ database, productEnv }) => {
  const own = database();
  await setTransactionLifetime(own.uri, TRANSACTION_LIFETIME_SECONDS);
  /** The open parts, also after a failure. */
  const closers: (() => unknown)[] = [];
  const opened = <T>(value: T, close: (value: T) => unknown): T => {
    closers.push(() => close(value));
    return value;
  };
  try {
    const certificate = opened(await createTestCertificate(), ({ remove }) => remove());
    const receiver = opened(await startReceiver(certificate), ({ close }) => close());
    const providers = opened(
      await startProviders({ deduplicates: true, answer: answerAsSandbox() }),
      ({ close }) => close(),
    );
    const env = productEnv(own, receiver.url, {
      ...providers.env,
      ...FASTER,
      INTERNAL_API_KEY: INTERNAL_KEY,
      WEBHOOK_CA_FILE: certificate.caFile,
    });
    const { SEED_FILE: seedFile = '', ENCRYPTION_KEY: encryptionKey = '' } = env;
    seedCallers({ env, receiver });
    addToSeed(seedFile, partnerTenants(COPIES));
    const fleet = opened(await startFleet({ env, copies: Number(options.copies) }), ({ stop }) => stop());
    // The database has it now; those that start later need not write it again.
    writeFileSync(seedFile, '{}');
    await revokeSeededKey(own.connection);
    await storeStatement(own.connection, 'acme/sandbox', '1999-12-31-USD');
    const live = opened(await followLive(fleet.url), ({ stop }) => stop());
    const load = opened(startLoad(exchangeWith(fleet.url)), ({ stop }) => stop());
    const cases = readCases(resolve('test/contract')).filter(
      (one) => !(nameOf(one) in LEFT_OUT || needsNoProviders(one)),
    );
    const target = { exchange: roundRobin(() => fleet.gateways()), receiver };
    const fixtures = opened(startFixtures(target, cases), ({ stop }) => stop());
    const run = { fleet, load, fixtures };
    const phases = [
      await quiet(run),
      ...(await killEach(run, Number(options['down-ms']))),
      ...(await rollEach(run)),
    ];
    await Promise.all([load.stop(), fixtures.stop()]);
    const { connection } = own;
    const seen = { load, receiver, providers, live: live.references, connection, encryptionKey };
    await until(async () => isAllNotified(seen) && (await isAllDone(connection)));
    const problems = [
      ...(await judge(seen)),
      ...(await judgeRuns(seen, fixtures.runs)),
      ...load.wrong,
      ...fixtures.wrong,
      ...fixtures.missing(STAGES.kills).map((name) => `${name}: has not passed while a process was down`),
    ];
    report(phases, { load, fixtures, services: fleet.services, problems });
  } finally {
    for (const close of closers.toReversed()) {
      await close();
    }
  }
});

/** Waits until all is done and reported, as long as it may take; the judge finds what is missing then. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isSo()) && performance.now() < deadline) {
    await sleep(250);
  }
}
