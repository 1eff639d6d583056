import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import type { BenchDatabase, Stand } from '../../bench/stand.ts';
import { startReceiver } from '../../support/receiver.ts';
import { createTestCertificate } from '../../support/test-certificate.ts';
import { runCommand } from './commands.ts';
import { fillOperations } from './fill.ts';
import { type CallKind, type Calls, makePayment, type Payment } from './payments.ts';
import { compareHeads, comparePayments, type Recomputed, recomputeAll } from './recompute.ts';
import { openServers, type Servers } from './servers.ts';
import { type Imported, importSeeded } from './settlement.ts';
import { compareStatements } from './statements.ts';
import { judgeFindings, tamperWith } from './tamper.ts';

interface LedgerSoakOptions {
  readonly stand: Stand;
  /** Operations besides those that are paid while servers are killed. */
  readonly operations: number;
  readonly kills: number;
  /** No kills begin when these are over: while operations are stored, and again during payments. */
  readonly minutes: number;
  /** How long numbering, sealing and statements may take at the end, milliseconds. */
  readonly patienceMs: number;
  progress(line: string): void;
}

/** The findings of a soak. */
export interface LedgerSoakReport {
  /** For each kill, the calls that were under way. */
  readonly kills: readonly (readonly CallKind[])[];
  readonly payments: number;
  readonly entries: number;
  readonly statements: number;
  readonly imports: readonly Imported[];
  readonly tampered: number;
  /** One line each; empty when all holds. */
  readonly problems: readonly string[];
}

const ENV = {
  ...{ WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', WEBHOOK_SWEEP_SECONDS: '1', WEBHOOK_RETRY_SECONDS: '1,1,1,1,1' },
  ...{ RATE_LIMIT_REMITTANCE: '600000', RATE_LIMIT_GRAPHQL: '600000', RATE_LIMIT_REQUEST_MONEY: '600000' },
};
const SERVERS = 2;
/** Payments under way at once. */
const PAYERS = 16;
/** Payments that are made before the others, and copied: each path of each partner. */
const SAMPLES = 108;
const DAYS = 40;
const TAMPERED = 100;
const LOOK_MS = 1_000;
const REPORT_EVERY = 50;
const REPORT_FILLED = 10_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Most problems of a kind that are listed. */
const MOST_LISTED = 20;

/** Fills a database with operations, kills servers while they number, seal, issue statements and take payments, and checks every figure. */
export async function runLedgerSoak(options: LedgerSoakOptions): Promise<LedgerSoakReport> {
  const { stand, progress } = options;
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-ledger-soak-'));
  const certificate = await createTestCertificate();
  const receiver = await startReceiver(certificate);
  const serve = async (database: BenchDatabase): Promise<Deployed> => {
    const env = stand.productEnv(database, receiver.url, { ...ENV, WEBHOOK_CA_FILE: certificate.caFile });
    return { env, connection: database.connection, servers: await openServers(env, SERVERS) };
  };
  const [samples, deployed] = [await serve(stand.database()), await serve(stand.database())];
  try {
    const lived = await live(options, samples, deployed);
    const checked = await check(deployed, lived.payments, folder, progress);
    const lost = await undelivered(deployed.connection);
    return {
      ...{ ...checked, kills: lived.kills, payments: lived.payments.length },
      problems: [...lived.problems, ...lost, ...checked.problems],
    };
  } finally {
    await Promise.all([samples, deployed].map(({ servers }) => servers.stop()));
    await receiver.close();
    certificate.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Servers and their database. */
interface Deployed {
  readonly env: Readonly<Record<string, string>>;
  readonly connection: Connection;
  readonly servers: Servers;
}

interface Lived {
  readonly kills: readonly CallKind[][];
  readonly payments: readonly Payment[];
  readonly problems: readonly string[];
}

async function live(options: LedgerSoakOptions, samples: Deployed, deployed: Deployed): Promise<Lived> {
  const { kills, minutes, patienceMs, progress } = options;
  const { connection, servers } = deployed;
  const sampling = createPayers(samples.servers);
  await samples.servers.start();
  await sampling.payAll(() => sampling.made() >= SAMPLES);
  await samples.servers.stop();
  // It makes the collections and their indexes.
  await servers.start();
  await servers.stop();
  const early = await fillUnderKills(options, samples.connection, deployed);
  let isOver = false;
  const payers = createPayers(servers);
  const paying = payers.payAll(() => isOver);
  const struck = every(REPORT_EVERY, (done) => progress(`${done} kills during payments …`));
  const deadline = Date.now() + minutes * MINUTE_MS;
  const late = await servers.kill(kills - early.length, deadline, (done) => {
    struck(done);
    return true;
  });
  isOver = true;
  await servers.start();
  await paying;
  const killed = [...early, ...late];
  const { payments } = payers;
  progress(
    `${killed.length} kills; ${payments.length} payments were made. Waiting for the end of all work …`,
  );
  const unfinished = await waitForAll(connection, patienceMs, progress);
  await servers.stop();
  const missed = killed.length < kills ? [`There was time for ${killed.length} of ${kills} kills`] : [];
  const problems = [...sampling.problems, ...payers.problems, ...unfinished, ...missed];
  return { kills: killed, payments, problems };
}

/** Has the product number and seal copies of operations, and kills it meanwhile: half of the kills, spread over the copies. */
async function fillUnderKills(
  { operations, kills, minutes, progress }: LedgerSoakOptions,
  samples: Connection,
  { connection, servers }: Deployed,
): Promise<CallKind[][]> {
  const most = Math.floor(kills / 2);
  const deadline = Date.now() + minutes * MINUTE_MS;
  let stored = 0;
  let isFilled = false;
  const report = every(REPORT_FILLED, (done) => progress(`${done} operations filled …`));
  const fill = async () => {
    try {
      await fillOperations(samples, connection, operations, DAYS, (done) => {
        stored = done;
        report(done);
      });
    } finally {
      isFilled = true;
    }
  };
  const filling = fill();
  const killing = servers
    .kill(most, deadline, (done) => isFilled || stored / operations > done / most)
    .finally(() => servers.start());
  // Both have ended when one of them throws: otherwise servers would be started after the end of the soak.
  const [killed] = await Promise.allSettled([killing, filling]).then(() => Promise.all([killing, filling]));
  progress(`${operations} operations filled, under ${killed.length} kills.`);
  return killed;
}

function createPayers(calls: Calls) {
  const payments: Payment[] = [];
  const problems: string[] = [];
  let nth = 0;
  const payUntil = async (isOver: () => boolean) => {
    while (!isOver()) {
      nth += 1;
      try {
        payments.push(await makePayment(calls, nth));
      } catch (error) {
        problems.push(String(error));
      }
    }
  };
  return {
    payments,
    problems,
    made: () => nth,
    payAll: (isOver: () => boolean) => Promise.all(Array.from({ length: PAYERS }, () => payUntil(isOver))),
  };
}

function every(count: number, report: (done: number) => void): (done: number) => void {
  let last = 0;
  return (done) => {
    if (Math.floor(done / count) > Math.floor(last / count)) {
      report(done);
    }
    last = done;
  };
}

/** Waits until nothing waits for its number, its place, its statement or its receiver. @returns a problem when the patience is over */
async function waitForAll(
  connection: Connection,
  patienceMs: number,
  progress: (line: string) => void,
): Promise<string[]> {
  const deadline = Date.now() + patienceMs;
  let last = '';
  let reportedAt = 0;
  for (;;) {
    const midnight = new Date(Date.now() - (Date.now() % DAY_MS));
    const count = (name: string, filter: object) => connection.collection(name).countDocuments(filter);
    const heads = await count('journalHeads', {});
    const left = {
      'unnumbered events': await count('events', { pending: true }),
      'unsealed entries': await count('journalEntries', { pending: true }),
      'accounts without all statements':
        heads - (await count('statementClosings', { endsAt: { $gte: midnight } })),
      'open remittances': await count('remittances', { isOpen: true }),
      'undelivered webhooks': await count('webhookDeliveries', { status: 'PENDING' }),
    };
    last = Object.entries(left)
      .map(([name, one]) => `${one} ${name}`)
      .join(', ');
    if (Object.values(left).every((one) => one === 0)) {
      return [];
    }
    if (Date.now() > deadline) {
      return [`The work did not come to its end: ${last}`];
    }
    if (Date.now() > reportedAt + MINUTE_MS) {
      reportedAt = Date.now();
      progress(`  ${last}`);
    }
    await delay(LOOK_MS);
  }
}

async function undelivered(connection: Connection): Promise<string[]> {
  const dead = await connection
    .collection('webhookDeliveries')
    .countDocuments({ status: { $nin: ['DELIVERED', 'PENDING'] } });
  return dead === 0 ? [] : [`${dead} webhooks were given up`];
}

async function check(
  { connection, env }: Deployed,
  payments: readonly Payment[],
  folder: string,
  progress: (line: string) => void,
) {
  const today = new Date().toISOString().slice(0, 10);
  const timed = async <Value>(name: string, work: () => Promise<Value>): Promise<Value> => {
    const from = performance.now();
    const value = await work();
    progress(`${name}: ${((performance.now() - from) / 1_000).toFixed(0)} s`);
    return value;
  };
  const lost = await timed('payments compared with their events', () =>
    comparePayments(connection, payments),
  );
  const all = await timed('journals recomputed from events', () => recomputeAll(connection));
  const heads = await compareHeads(connection, all);
  const stated = await timed('statements compared', () => compareStatements(connection, all, today));
  const audited = await timed('remitgraph audit', () => runCommand('audit', ['--json'], env));
  const violations = audited.json.map((one) => JSON.stringify(one));
  const tampering = await timed('remitgraph ledger export and verify', () =>
    verifyAll(env, folder, entriesOf(all)),
  );
  const imports = await timed('settlement files', () =>
    importSeeded(connection, all, env, { today, folder }),
  );
  const found = imports.flatMap((one) => one.problems);
  const problems = [lost, heads, stated.problems, violations, tampering.problems, found];
  return {
    ...{ entries: entriesOf(all), statements: stated.statements, imports, tampered: tampering.tampered },
    problems: problems.flatMap((some) => [
      ...some.slice(0, MOST_LISTED),
      ...(some.length > MOST_LISTED ? [`… and ${some.length - MOST_LISTED} like it`] : []),
    ]),
  };
}

function entriesOf(all: readonly Recomputed[]): number {
  return all.reduce((sum, { entries }) => sum + entries, 0);
}

async function verifyAll(env: Readonly<Record<string, string>>, folder: string, entries: number) {
  const [file, other] = [join(folder, 'journal.jsonl'), join(folder, 'tampered.jsonl')];
  await runCommand('ledger', ['export', '--file', file], env);
  const verified = await runCommand('ledger', ['verify', '--file', file, '--json'], env);
  const tampered = await tamperWith(file, other, entries, Math.min(TAMPERED, Math.floor(entries / 4)));
  const { json, code } = await runCommand('ledger', ['verify', '--file', other, '--json'], env);
  const findings = json as unknown as { readonly accountId: string; readonly place: string }[];
  return {
    tampered: tampered.length,
    problems: [
      ...verified.json.map((one) => `The export has a finding: ${JSON.stringify(one)}`),
      ...(code === 0 ? ['ledger verify ended with 0 for a tampered export'] : []),
      ...judgeFindings(tampered, findings),
    ],
  };
}
