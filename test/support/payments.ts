import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { expect } from '@jest/globals';
import { withDatabase } from '../../subgraphs/kernel/database/uri.ts';
import { type Exchange, injectInto } from './http.ts';
import { fillTenant } from './isolation/tenant-data.ts';
import { createMoneyRequest, moneyRequestBody, newReference, updateStatus } from './money-requests.ts';
import type { Scene } from './scene.ts';
import { KEYS } from './seed.ts';
import { runProduct } from './server-process.ts';
import { buildTestApp, type TestApp } from './test-app.ts';
import { until } from './until.ts';

/** The product with payments of acme's sandbox in each state, whose journal entries are sealed. */
export interface Payments {
  readonly target: TestApp;
  readonly exchange: Exchange;
  /** Runs a command on the same database, and expects its exit code. @param more over its environment @returns its output */
  run(
    program: 'audit' | 'ledger',
    args: readonly string[],
    code?: number,
    more?: Readonly<Record<string, string>>,
  ): Promise<string>;
}

const PATHS = [
  [],
  ['processing'],
  ['processing', 'completed'],
  ['processing', 'rejected'],
  ['cancelled'],
] as const;

/** Makes a money request, and moves it along the statuses. */
export async function payOne(
  exchange: Exchange,
  path: readonly string[] = ['processing', 'completed'],
): Promise<void> {
  const referenceId = newReference();
  expect((await createMoneyRequest(exchange, moneyRequestBody(referenceId))).status).toBe(201);
  for (const status of path) {
    expect((await updateStatus(exchange, { referenceId, status })).status).toBe(200);
  }
}

export async function makePayments(scene: Scene): Promise<Payments> {
  const deployment = await scene.deploy();
  // Of the server and of commands, which have folders of their own.
  const env = {
    ...deployment.env,
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    API_KEY_PEPPER: randomBytes(32).toString('hex'),
  };
  const target = await buildTestApp(env);
  scene.atEnd(target.close);
  const exchange = injectInto(target.app);
  await fillTenant({ accountId: 'acme/sandbox', key: KEYS.acme }, exchange);
  for (const path of PATHS) {
    await payOne(exchange, path);
  }
  const soon = { $set: { nextRunAt: new Date() } };
  await target.connection.collection('agendaJobs').updateOne({ name: 'journal.seal' }, soon);
  await until('everything is sealed and numbered', async () => {
    const waiting = await Promise.all(
      ['events', 'journalEntries'].map((name) =>
        target.connection.collection(name).countDocuments({ pending: true }),
      ),
    );
    return waiting.every((count) => count === 0);
  });
  const MONGODB_URI = withDatabase(String(deployment.env.MONGODB_URI), target.connection.name);
  const run: Payments['run'] = async (program, args, code = 0, more = {}) => {
    const command = runProduct(resolve(`dist/bin/${program}.js`), args, { ...env, MONGODB_URI, ...more });
    const exit = await command.exited;
    expect([args, exit.code, command.output()]).toEqual([args, code, expect.any(String)]);
    return command.output();
  };
  return { target, exchange, run };
}
