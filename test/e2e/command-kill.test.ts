/** @only-in-full */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { withDatabase } from '../../subgraphs/kernel/database/uri.ts';
import { callAtomic, callerOf, newAtomicCall, seedCallers } from '../support/atomic-calls.ts';
import type { Deployment } from '../support/deployment.ts';
import { exchangeWith } from '../support/http.ts';
import { connectToStore, startSurvivor } from '../support/killed-store.ts';
import { preloading } from '../support/preloads.ts';
import { startProviders, UNAVAILABLE } from '../support/providers.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { runProduct } from '../support/server-process.ts';
import { until } from '../support/until.ts';

/** A command of an operator that changes something. */
interface Kind {
  readonly command: string;
  /** A command that it sends to write its change. */
  readonly write: string;
  /** Makes the nth record that it changes. @returns the record's id */
  prepare(nth: number): Promise<string>;
  options(id: string): readonly string[];
  /** The number of changes that are stored of a record. */
  effects(id: string): Promise<number>;
  /** Whether a repeat is refused once the change is stored. By default it succeeds, and changes nothing. */
  readonly isRefused?: boolean;
  /** Whether a repeat makes another record, because nothing says that it is a repeat. */
  readonly makesAnother?: boolean;
}

/** A command that was killed, and repeated. */
interface Outcome {
  readonly point: string;
  /** The numbers of effects and entries that it left. */
  readonly left: readonly [effects: number, entries: number];
  /** The exit code of the same command again. */
  readonly code: number | null;
  /** The same numbers after that. */
  readonly end: readonly [effects: number, entries: number];
}

const ADMIN = resolve('dist/bin/admin.js');
const REASON = 'Ticket 812';
const NEW_NAME = 'A new name';
const AFTER = 'after commitTransaction';
/** No worker takes what a command makes due. */
const SETTINGS = {
  PIPELINE_RETRY_SECONDS: Array.from({ length: 8 }, () => '3600').join(),
  PIPELINE_SWEEP_SECONDS: '3600',
};

const scene = useScene();
let deployment: Deployment;
let connection: Connection;
let url: string;
let records = 0;

/** A remittance that waits for its next attempt. */
async function newRemittance(nth: number): Promise<string> {
  const call = newAtomicCall({ method: 'account', requester: 'Ruiz', payer: 'Roe', caller: callerOf(nth) });
  expect((await callAtomic(exchangeWith(url), call)).status).toBe(200);
  const _id = `${call.caller.accountId}|${call.correlationId}`;
  const waits = { ...idIs(_id), attempts: 1, leaseToken: { $exists: false } };
  await until(
    `${_id} waits`,
    async () => (await connection.collection('remittances').countDocuments(waits)) === 1,
  );
  return _id;
}

async function newUser(nth: number): Promise<string> {
  const person = {
    firstName: 'Ana',
    lastName: 'Ruiz',
    dob: '1990-01-31',
    phoneNumber: `+5255${13_000_000 + nth}`,
  };
  const place = { address1: 'Reforma 1', countryCode: 'MX', city: 'CDMX', state: 'MX-CMX' };
  const answer = await exchangeWith(url)({
    method: 'POST',
    path: '/v1/user/register-v2',
    headers: { 'content-type': 'application/json', 'x-api-key': KEYS.acme },
    body: JSON.stringify({ ...person, ...place }),
  });
  return (JSON.parse(answer.text) as { userId: string }).userId;
}

/** Runs a command that succeeds. @returns its output */
async function admin(...args: readonly string[]): Promise<string> {
  const run = runProduct(ADMIN, args, deployment.env);
  expect([args[0], (await run.exited).code, run.output()]).toEqual([args[0], 0, expect.any(String)]);
  return run.output();
}

/** The options of `tenant create`. */
const tenantOf = (id: string, name: string) => [
  ...['--id', id, '--name', name, '--country', 'MX', '--currency', 'MXN'],
  ...['--source-country', 'US', '--site', 'https://pay.made.example'],
];

// The cast: without a model the driver takes every id for an ObjectId.
const idIs = (id: string) => ({ _id: id as never });
const countOf = (collection: string, filter: object) =>
  connection.collection(collection).countDocuments(filter);

/** One of each kind of repeat. All commands write their entries in `acts.ts`; `operate-kill` and `erasure-kill` kill the acts themselves. */
const KINDS: readonly Kind[] = [
  {
    command: 'remittances retry',
    write: 'update remittances',
    prepare: newRemittance,
    options: (id) => ['--id', id, '--reason', REASON],
    effects: (id) => countOf('remittances', { ...idIs(id), attempts: 0 }),
    isRefused: true,
  },
  {
    command: 'user erase',
    write: 'update users',
    prepare: newUser,
    options: (id) => ['--tenant', 'acme', '--user', id, '--reason', REASON],
    effects: (id) => countOf('events', { type: 'user.erasure_requested', entityId: id }),
  },
  {
    command: 'key create',
    write: 'insert apiKeys',
    prepare: async (nth) => `of attempt ${nth}`,
    options: (id) => ['--tenant', 'acme', '--label', id],
    effects: (id) => countOf('apiKeys', { label: id }),
    makesAnother: true,
  },
  {
    command: 'tenant update',
    write: 'update tenants',
    prepare: async (nth) => {
      const id = `changed-${nth}`;
      await admin('tenant', 'create', ...tenantOf(id, 'The first name'));
      return id;
    },
    options: (id) => ['--id', id, '--name', NEW_NAME],
    effects: async (id) => (await countOf('tenants', { tenantId: id, name: NEW_NAME })) / 2,
  },
];

const survivor = await startSurvivor(scene);
const outcomes = new Map<Kind, readonly Outcome[]>();
/** Where a vanished client's transaction stays for a minute, each repeat would wait for that long. */
const describeKills = survivor === undefined ? describe.skip : describe;

beforeAll(async () => {
  if (survivor === undefined) {
    return;
  }
  const providers = await startProviders({ deduplicates: true, answer: () => UNAVAILABLE });
  scene.atEnd(() => providers.close());
  deployment = await scene.deploy({
    env: {
      ...providers.env,
      ...SETTINGS,
      ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      API_KEY_PEPPER: randomBytes(32).toString('hex'),
      MONGODB_URI: withDatabase(survivor, 'remitgraph_command_kill'),
    },
  });
  seedCallers(deployment);
  url = (await deployment.start()).url;
  connection = await connectToStore(scene, deployment);
  for (const kind of KINDS) {
    const points = [`before ${kind.write}`, 'before insert operatorLog', 'before commitTransaction', AFTER];
    outcomes.set(kind, await Promise.all(points.map((point) => killAndRepeat(kind, point))));
  }
}, 900_000);

describeKills.each(KINDS)('kill -9 of the command $command', (kind) => {
  const rows = (row: (outcome: Outcome) => unknown) =>
    outcomes.get(kind)?.map((one) => [one.point, row(one)]);

  test('leaves the change with its entry in the log, or neither', () => {
    expect(rows(({ left }) => left)).toEqual(rows(({ point }) => (point === AFTER ? [1, 1] : [0, 0])));
  });

  test('ends with one change and one entry after a repeat, or one of each for each record', () => {
    const codeOf = (isDone: boolean) => (isDone && kind.isRefused ? 2 : 0);
    const countAfter = (isDone: boolean) => (isDone && kind.makesAnother ? 2 : 1);
    expect(rows(({ code, end }) => [code, end])).toEqual(
      rows(({ point }) => {
        const isDone = point === AFTER;
        return [codeOf(isDone), [countAfter(isDone), countAfter(isDone)]];
      }),
    );
  });
});

async function killAndRepeat(kind: Kind, point: string): Promise<Outcome> {
  records += 1;
  const id = await kind.prepare(records);
  const args = [...kind.command.split(' '), ...kind.options(id)];
  const [HOLD_AT = '', ...command] = point.split(' ');
  const doomed = runProduct(ADMIN, args, {
    ...deployment.env,
    ...preloading('without-bulk-write', 'hold-at-command'),
    ...{ HOLD_AT, HOLD_AT_COMMAND: command.join(' ') },
    // A command begins with a transaction that shows what the database can do.
    ...(command[0] === 'commitTransaction' && { HOLD_SINCE: 'insert operatorLog' }),
  });
  try {
    const held = JSON.stringify({ heldAt: point });
    await until(`${kind.command} held ${point}`, () => doomed.output().includes(held));
  } finally {
    await doomed.kill('SIGKILL');
  }
  const left = await numbersOf(kind, id);
  const again = runProduct(ADMIN, args, deployment.env);
  const { code } = await again.exited;
  return { point, left, code, end: await numbersOf(kind, id) };
}

/** The numbers of effects and of entries. */
async function numbersOf({ command, effects }: Kind, id: string): Promise<[number, number]> {
  const subject = id.split('|').at(-1);
  const isAbout = [{ subject }, { 'after.label': id }];
  return [await effects(id), await countOf('operatorLog', { act: command, $or: isAbout })];
}
