import { parseArgs } from 'node:util';
import WebSocket from 'ws';
import { createLiveClient } from '../../gateway/client/index.ts';
import { createTestCertificate } from '../../subgraphs/platform/webhooks/testing.ts';
import { type BenchDatabase, say, table, withStand } from '../bench/stand.ts';
import { seedCallers } from '../support/atomic-calls.ts';
import { exchangeWith } from '../support/http.ts';
import { startProviders } from '../support/providers.ts';
import { startReceiver } from '../support/receiver.ts';
import { KEYS } from '../support/seed.ts';
import { setTransactionLifetime } from '../support/transaction-lifetime.ts';
import { type Fleet, type Kill, startFleet } from './fleet.ts';
import { hasAllWebhooks, judge } from './judge.ts';
import { type FailedRequest, type Load, startLoad } from './load.ts';

/** Of a store for the transactions of a process that was killed: until then nobody may write what they wrote. */
const TRANSACTION_LIFETIME_SECONDS = 4;
const PATIENCE_MS = 60_000;
/** The ends of connections may be noticed so much later than that of their process. */
const NOTICED_AFTER_MS = 100;

/** What a fast test changes of the settings of compose.yaml: how long things wait. */
const FASTER = {
  DRAIN_SECONDS: '1',
  SUBSCRIPTION_DRAIN_SECONDS: '1',
  PIPELINE_SWEEP_SECONDS: '1',
  PIPELINE_LEASE_SECONDS: '5',
  PIPELINE_RETRY_SECONDS: Array.from({ length: 20 }, () => '1').join(),
  WEBHOOK_SWEEP_SECONDS: '1',
  WEBHOOK_RETRY_SECONDS: '1,1,1,1,1',
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
};

const FOLLOW = `subscription ($after: String) {
  requestMoneyStatusChanged(after: $after) { cursor status requestMoney { referenceId } }
}`;

const { values: options } = parseArgs({
  options: {
    copies: { type: 'string', default: '2' },
    'down-ms': { type: 'string', default: '1500' },
  },
});

/** A part of the run, and the requests that failed in it. */
interface Phase {
  readonly name: string;
  readonly answered: number;
  readonly failed: readonly FailedRequest[];
  /** Those that were not under way at the kill, which may fail nothing else. */
  readonly unexcused: readonly FailedRequest[];
}

/**
 * `npm run e2e:distributed [-- --copies N --down-ms N]`: the roles of compose.yaml as processes, under load: one of each is
 * killed and started again, then all are replaced one after the other. The exit code is 0 when nothing was lost, done twice
 * or answered wrong, and only requests under way at a kill failed.
 */
await withStand(async ({ database, productEnv }) => {
  const own = database();
  await setTransactionLifetime(own.uri, TRANSACTION_LIFETIME_SECONDS);
  /** What is open, whatever fails meanwhile. */
  const closers: (() => unknown)[] = [];
  const opened = <T>(value: T, close: (value: T) => unknown): T => {
    closers.push(() => close(value));
    return value;
  };
  try {
    const certificate = opened(await createTestCertificate(), ({ remove }) => remove());
    const receiver = opened(await startReceiver(certificate), ({ close }) => close());
    const providers = opened(await startProviders({ deduplicates: true }), ({ close }) => close());
    const env = productEnv(own, receiver.url, {
      ...providers.env,
      ...FASTER,
      WEBHOOK_CA_FILE: certificate.caFile,
    });
    seedCallers({ env, receiver });
    const fleet = opened(await startFleet({ env, copies: Number(options.copies) }), ({ stop }) => stop());
    const live = opened(await followLive(fleet.url), ({ stop }) => stop());
    const load = opened(startLoad(exchangeWith(fleet.url)), ({ stop }) => stop());
    const phases = [await quiet(load), ...(await killEach(fleet, load)), ...(await rollEach(fleet, load))];
    await load.stop();
    await untilTold(() => hasAllWebhooks({ load, receiver }) && live.references.length >= load.created.size);
    const { ENCRYPTION_KEY: encryptionKey = '' } = env;
    const { connection } = own;
    const seen = { load, receiver, providers, live: live.references, connection, encryptionKey };
    report(phases, [...(await judge(seen)), ...load.wrong], load, own);
  } finally {
    for (const close of closers.toReversed()) {
      await close();
    }
  }
});

/** References of money requests as they come live, across all that happens to gateways and subgraphs. */
async function followLive(url: string): Promise<{ references: string[]; stop(): void }> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': KEYS.acme },
    body: '{"query":"{ latestEventCursor }"}',
  });
  const { data } = (await answer.json()) as { data: { latestEventCursor: string } };
  const client = createLiveClient({
    url: `${url}/graphql`,
    credential: { apiKey: KEYS.acme },
    transport: 'websocket',
    webSocket: WebSocket,
    backoff: { baseMs: 100, capMs: 1_000 },
  });
  const references: string[] = [];
  const events = client.follow<{ requestMoneyStatusChanged: { requestMoney: { referenceId: string } } }>({
    query: FOLLOW,
    after: data.latestEventCursor,
  });
  const read = async () => {
    for await (const event of events) {
      references.push(event.data.requestMoneyStatusChanged.requestMoney.referenceId);
    }
  };
  read().catch((error: Error) => say(`The live client has ended: ${error.message}`));
  return { references, stop: () => client.close() };
}

async function quiet(load: Load): Promise<Phase> {
  return during('nothing', load, async () => {
    await new Promise((wait) => setTimeout(wait, 5_000));
    return [];
  });
}

async function killEach(fleet: Fleet, load: Load): Promise<Phase[]> {
  const phases: Phase[] = [];
  for (const service of fleet.services) {
    const kill = async () => [await service.kill(Number(options['down-ms']))];
    phases.push(await during(`kill -9 of a ${service.role}`, load, kill));
  }
  return phases;
}

async function rollEach(fleet: Fleet, load: Load): Promise<Phase[]> {
  const phases: Phase[] = [];
  for (const service of fleet.services) {
    const roll = async () => {
      await service.roll();
      return [];
    };
    phases.push(await during(`rolling restart of ${service.role}`, load, roll));
  }
  return phases;
}

/** @param work resolves with its kills */
async function during(name: string, load: Load, work: () => Promise<readonly Kill[]>): Promise<Phase> {
  const before = { answered: load.answered(), failed: load.failed.length };
  const kills = await work();
  // What was under way at its end belongs to it.
  await new Promise((wait) => setTimeout(wait, 1_000));
  const failed = load.failed.slice(before.failed);
  const isExcused = ({ from, to }: FailedRequest) =>
    kills.some(({ sentAt, seenAt }) => from <= seenAt + NOTICED_AFTER_MS && to >= sentAt);
  return {
    name,
    answered: load.answered() - before.answered,
    failed,
    unexcused: failed.filter((one) => !isExcused(one)),
  };
}

async function untilTold(isTold: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!isTold() && performance.now() < deadline) {
    await new Promise((wait) => setTimeout(wait, 250));
  }
}

function report(phases: readonly Phase[], problems: readonly string[], load: Load, own: BenchDatabase): void {
  table(
    ['what happened', 'answered', 'failed', 'of them not under way at a kill'],
    phases.map(({ name, answered, failed, unexcused }) =>
      [name, answered, failed.length, unexcused.length].map(String),
    ),
    1,
  );
  for (const { what, from, to, why } of phases.flatMap(({ unexcused }) => unexcused).slice(0, 20)) {
    say(`  ${what}, ${(to - from).toFixed(0)} ms: ${why.slice(0, 300)}`);
  }
  for (const problem of problems.slice(0, 20)) {
    say(`  ${problem}`);
  }
  const failures = phases.flatMap(({ unexcused }) => unexcused).length;
  say(`${load.created.size} money requests and ${load.calls.length} atomic calls in ${own.name}.`);
  say(
    problems.length + failures === 0
      ? 'Everything holds: nothing lost, nothing twice, no wrong answer, no request failed but those under way at a kill.'
      : `It does not hold: ${problems.length} problems, ${failures} failed requests.`,
  );
  process.exitCode = problems.length + failures === 0 ? 0 : 1;
}
