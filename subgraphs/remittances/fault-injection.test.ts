import { describe, expect, test } from '@jest/globals';
import { IS_FULL, sweepOf } from '../../test/support/depth.ts';
import { until } from '../../test/support/until.ts';
import { createTransactions, type RunTransaction } from '../kernel/database/transaction.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { bodyOf, CARD, DOCUMENTED, type Replaced, usePipelineBench } from './testing.ts';

// Many steps on a database that is not the test's alone.

const bench = usePipelineBench();

/** The fault at a call: an error in its place, an error behind it, or nothing for ever, as if the process had died. */
type Mishap = 'throws before' | 'throws after' | 'dies before' | 'dies after';

/** Lets one call of all those that a worker makes go wrong. */
interface Saboteur {
  readonly deps: Replaced;
  /** Names of the calls in their order. */
  readonly calls: string[];
  hasStruck(): boolean;
  /** Brings back what had died: an error there, long after another worker has taken over. */
  wake(): void;
}

/** Functions of these are wrapped. Inside of a transaction nobody dies: its locks would outlive the test. */
const OUTSIDE = ['users.accountState', 'tenants.find', 'providers', 'transaction'];
/** These add to the unit of work, and are done when they return. */
const ADDING = ['events.append', 'webhooks.enqueue', 'users.requireUnblocked'];

/** At no call. */
const NEVER = Number.POSITIVE_INFINITY;

/** One attempt more than a mishap may cost. */
const QUICK = { ...DOCUMENTED, retrySeconds: [5, 30] };

type Adding = (...args: unknown[]) => unknown;
type Calling = (...args: unknown[]) => Promise<unknown>;

function isUnit(arg: unknown): arg is UnitOfWork {
  return typeof arg === 'object' && arg !== null && 'flush' in arg;
}

function sabotage(mishap: Mishap, at: number): Saboteur {
  const calls: string[] = [];
  let struck = false;
  let wake: () => void = () => undefined;
  const goWrong = (name: string) =>
    new Promise<void>((_resolve, reject) => {
      wake = () => reject(new Error(`${mishap} ${name}`));
      if (mishap.startsWith('throws')) {
        wake();
      }
    });
  const wrap =
    <Args extends unknown[], Value>(name: string, call: (...args: Args) => Promise<Value>) =>
    async (...args: Args): Promise<Value> => {
      const isInside = args.some(isUnit);
      if (mishap.startsWith('dies') && (isInside || !OUTSIDE.some((outside) => name.startsWith(outside)))) {
        return call(...args);
      }
      calls.push(name);
      const isHere = calls.length === at;
      if (isHere) {
        struck = true;
        if (mishap.endsWith('before')) {
          await goWrong(name);
        }
      }
      const value = await call(...args);
      if (isHere) {
        await goWrong(name);
      }
      return value;
    };
  const wrapAdding =
    <Args extends unknown[], Value>(name: string, add: (...args: Args) => Value) =>
    (...args: Args): Value => {
      // Nothing is sent by then: an error behind it is one before what comes next in the same transaction.
      if (mishap !== 'throws before') {
        return add(...args);
      }
      calls.push(name);
      if (calls.length === at) {
        struck = true;
        throw new Error(`${mishap} ${name}`);
      }
      return add(...args);
    };
  const wrapOne = (name: string, value: unknown) => {
    if (typeof value !== 'function') {
      return value;
    }
    return ADDING.includes(name) ? wrapAdding(name, value as Adding) : wrap(name, value as Calling);
  };
  const wrapAll = <Deps extends object>(name: string, deps: Deps): Deps =>
    Object.fromEntries(
      Object.entries(deps).map(([key, value]) => [key, wrapOne(`${name}.${key}`, value)]),
    ) as Deps;
  const { users, operations, tenants, providers, events, webhooks, transaction } = bench.deps;
  return {
    calls,
    hasStruck: () => struck,
    wake: () => wake(),
    deps: {
      users: wrapAll('users', users),
      operations: wrapAll('operations', operations),
      tenants: wrapAll('tenants', tenants),
      providers: {
        identity: wrapAll('providers.identity', providers.identity),
        cards: wrapAll('providers.cards', providers.cards),
        ubn: wrapAll('providers.ubn', providers.ubn),
        funding: wrapAll('providers.funding', providers.funding),
        requireConfigured: providers.requireConfigured,
      },
      events: wrapAll('events', events),
      webhooks: wrapAll('webhooks', webhooks),
      transaction: wrap('transaction', transaction) as RunTransaction,
    },
  };
}

/** One remittance, whose worker has one mishap; another worker finds it when it is due again. */
async function runWith(
  mishap: Mishap,
  at: number,
  changes?: Parameters<typeof bodyOf>[0],
  end: 'SUCCEEDED' | 'FAILED' = changes ? 'FAILED' : 'SUCCEEDED',
): Promise<Saboteur> {
  const acceptor = bench.start();
  await acceptor.worker.stop();
  const { correlationId, userId } = await bench.accept(acceptor, bodyOf(changes));
  const saboteur = sabotage(mishap, at);
  const pipeline = bench.start(saboteur.deps, QUICK);
  const isOver = () => pipeline.steps().inFlight === 0;
  const isInProgress = async () => (await bench.stored(correlationId)).status === 'IN_PROGRESS';
  do {
    await pipeline.worker.sweep();
    await until(
      'the worker to end or to die',
      () => isOver() || (mishap.startsWith('dies') && saboteur.hasStruck()),
    );
    bench.now = new Date(bench.now.getTime() + DOCUMENTED.leaseSeconds * 1000);
  } while (!saboteur.hasStruck() && (await isInProgress()));
  const healthy = bench.start({}, QUICK);
  await until('its end', async () => {
    // A lease each time: whatever has become of it, it is due then.
    bench.now = new Date(bench.now.getTime() + DOCUMENTED.leaseSeconds * 1000);
    await bench.run(healthy);
    return !(await isInProgress());
  });
  saboteur.wake();
  await until('nobody at work', isOver);
  const remittance = await bench.stored(correlationId);
  const moves = await bench.moves(correlationId);
  const point = `${mishap} ${saboteur.calls[at - 1]} (call ${at})`;
  expect([point, moves.map((move) => Number(move.split(' ')[0]))]).toEqual([
    point,
    Array.from({ length: remittance.version }, (_, index) => index + 1),
  ]);
  expect([point, await bench.outcomes(correlationId)]).toEqual([point, [expect.any(String)]]);
  expect([point, await effects(correlationId, userId), remittance.status]).toEqual([
    point,
    remittance.status === 'SUCCEEDED'
      ? { operations: 1, history: 1, contacts: 1, paymentMethods: 1, requests: 1 }
      : expect.objectContaining({ operations: 0 }),
    end,
  ]);
  await bench.stop();
  return saboteur;
}

async function effects(operationId: string, userId: string) {
  const contact = await bench.database.connection.collection('contacts').findOne({ userId });
  return {
    operations: await bench.count('operations', { operationId }),
    history: await bench.count('operationHistory', { operationId }),
    contacts: await bench.count('contacts', { userId }),
    paymentMethods: await bench.count('paymentMethods', { userId }),
    requests: contact?.requests as number,
  };
}

/** A way of a remittance on which each call goes wrong once. */
interface Way {
  readonly changes?: Parameters<typeof bodyOf>[0];
  readonly end?: 'SUCCEEDED' | 'FAILED';
  /** The call at which it begins to be another one than without changes: the short form strikes from there on. */
  readonly from?: string;
}

/** A run for every call; in the short form for the first of each name. @returns the names of the calls of one without a mishap */
async function runAtEach(mishap: Mishap, { changes, end, from }: Way = {}): Promise<readonly string[]> {
  const { calls } = await runWith(mishap, NEVER, changes, end);
  const begin = IS_FULL || from === undefined ? 0 : calls.indexOf(from);
  const points = calls.map((name, index) => ({ name, at: index + 1 })).slice(begin);
  for (const { name, at } of sweepOf(points, (point) => point.name)) {
    const saboteur = await runWith(mishap, at, changes, end);
    expect([name, saboteur.calls[at - 1], saboteur.hasStruck()]).toEqual([name, name, true]);
  }
  return calls;
}

describe('whatever goes wrong at whichever call, there is one operation and one outcome', () => {
  test.each<[Mishap, number]>([
    ['throws before', 23],
    ['throws after', 14],
    ['dies before', 10],
    ['dies after', 10],
  ])('%s', async (mishap, atLeast) => {
    const calls = await runAtEach(mishap);
    expect(calls.length).toBeGreaterThanOrEqual(atLeast);
  });

  test('so it is on a server that takes writes to one collection at a time', async () => {
    const { transaction } = bench.deps;
    bench.deps.transaction = createTransactions(bench.database.connection, { bulkWrite: false });
    const calls = await runAtEach('throws after');
    bench.deps.transaction = transaction;
    expect(calls.length).toBeGreaterThanOrEqual(14);
  });

  test.each<Mishap>(['throws before', 'throws after'])(
    '%s, of one that a provider turns down',
    async (mishap) => {
      const calls = await runAtEach(mishap, {
        changes: { method: { ...CARD, number: '4000000000000002' } },
        from: 'providers.cards.verify',
      });
      expect(calls).toContain('providers.cards.verify');
    },
  );
});

describe('whatever goes wrong around a lost answer, there is one outcome, and an operation only for a payer who has paid', () => {
  test.each<[Mishap, string, 'SUCCEEDED' | 'FAILED']>([
    ['throws before', 'FUNDINGLOST', 'FAILED'],
    ['throws after', 'FUNDINGPAID', 'SUCCEEDED'],
    ['dies before', 'FUNDINGPAID', 'SUCCEEDED'],
    ['dies after', 'FUNDINGLOST', 'FAILED'],
  ])('%s, with %s it has %s', async (mishap, lastName, end) => {
    const from = 'providers.funding.request';
    const calls = await runAtEach(mishap, { changes: { requestTo: { lastName } }, end, from });
    expect(calls).toEqual(expect.arrayContaining(['providers.funding.request', 'providers.funding.cancel']));
  });
});

test('two workers at once: every step has one effect, whichever worker makes it', async () => {
  const one = bench.start();
  const other = bench.start();
  const ids = await Promise.all(
    Array.from(
      { length: 30 },
      async (_, index) => (await bench.accept(index % 2 ? one : other)).correlationId,
    ),
  );
  const isAllDone = async () => (await bench.count('remittances', { status: 'SUCCEEDED' })) === ids.length;
  await until('all of them', async () => {
    await Promise.all([one.worker.sweep(), other.worker.sweep()]);
    return isAllDone();
  });
  for (const id of ids) {
    expect(await bench.outcomes(id)).toHaveLength(1);
    expect(await bench.moves(id)).toHaveLength(5);
    expect(await bench.count('operations', { operationId: id })).toBe(1);
  }
  const [first, second] = [one.steps(), other.steps()];
  expect(first.succeeded + second.succeeded).toBe(ids.length);
  expect(first.unrecorded + second.unrecorded).toBe(0);
});

test('a database that is away for all of a step costs nothing but time', async () => {
  let isAway = true;
  const away = () => Promise.reject(new Error('no database'));
  const { users, transaction } = bench.deps;
  const pipeline = bench.start({
    users: { ...users, accountState: (...args) => (isAway ? away() : users.accountState(...args)) },
    transaction: (work) => (isAway ? away() : transaction(work)),
  });
  isAway = false;
  const { correlationId } = await bench.accept(pipeline);
  isAway = true;
  await bench.run(pipeline);
  const stored = await bench.stored(correlationId);
  expect(stored.status).toBe('IN_PROGRESS');
  isAway = false;
  bench.now = new Date(bench.now.getTime() + 30_000);
  await bench.run(pipeline);
  expect(await bench.stored(correlationId)).toMatchObject({ status: 'SUCCEEDED' });
  expect(await bench.outcomes(correlationId)).toHaveLength(1);
});
