import { beforeAll, describe, expect, test } from '@jest/globals';
import mongoose, { type mongo } from 'mongoose';
import type { Violation } from '../../subgraphs/runtime/audit/audit.ts';
import { IS_FULL, sweepOf } from '../support/depth.ts';
import { makePayments, type Payments, payOne } from '../support/payments.ts';
import { useScene } from '../support/scene.ts';

const scene = useScene();
let payments: Payments;
beforeAll(async () => {
  payments = await makePayments(scene);
});

const collection = (name: string) => payments.target.connection.collection<mongo.Document>(name);

/** The account that has the records. Each of the others takes an audit as many reads, and has nothing. */
const AUDITED = IS_FULL ? undefined : ('acme/sandbox' as const);

async function violations(days?: number, accountId?: typeof AUDITED): Promise<Violation[]> {
  const found: Violation[] = [];
  const examined: Record<string, number> = {};
  const { audit } = payments.target.subgraphs;
  for await (const batch of audit.run({ days, accountId }, new AbortController().signal)) {
    found.push(...batch.violations);
    examined[batch.check] = (examined[batch.check] ?? 0) + batch.examined;
  }
  const idle = Object.entries(examined).filter(([, count]) => count === 0);
  expect(idle).toEqual([]);
  expect(Object.keys(examined).length).toBe(7);
  return found;
}

test('records that nobody changed break no rule, all or those of the last day', async () => {
  expect(await violations()).toEqual([]);
  expect(await violations(1)).toEqual([]);
});

test('records that change while they are audited break no rule', async () => {
  let isAuditing = true;
  let moved = 0;
  const writers = [0, 1, 2].map(async () => {
    while (isAuditing) {
      await payOne(payments.exchange);
      moved += 1;
    }
  });
  const found = [];
  for (let audits = 0; audits < (IS_FULL ? 5 : 1); audits += 1) {
    found.push(...(await violations(1)));
  }
  isAuditing = false;
  await Promise.all(writers);
  expect(moved).toBeGreaterThan(3);
  expect(found).toEqual([]);
});

/** A change by hand: what it breaks, and the texts that name it. */
interface Damage {
  readonly collection: string;
  readonly filter: object;
  readonly change: object | 'remove' | ((record: mongo.Document) => object);
  readonly found: readonly [check: string, text: RegExp][];
}

const DAMAGES: Readonly<Record<string, Damage>> = {
  'a status without a move': {
    collection: 'operations',
    filter: { status: 'Completed' },
    change: { $set: { status: 'Failed' } },
    found: [
      ['operations', /^It is Failed, and its history ends with Completed$/],
      ['operations', /^It is Failed in version 3, and its last event says Completed in version 3$/],
      ['moneyRequests', /^It is completed, and its operation is \S+, Failed$/],
      ['operationFigures', /^The records give \d+, the figures \d+$/],
      ['operationFigures', /^The records give 1, the figures 0$/],
    ],
  },
  'an illegal move': {
    collection: 'operationHistory',
    filter: { status: 'Funded', version: 2 },
    change: { $set: { status: 'InTransit' } },
    found: [
      [
        'operations',
        /^Version 2 of its history moves from Funding to InTransit, which is no allowed change$/,
      ],
      ['operations', /^Version 3 of its history begins with Funded, and InTransit stands before it$/],
    ],
  },
  'a move that is gone': {
    collection: 'operationHistory',
    filter: { status: 'Funded', version: 2 },
    change: 'remove',
    found: [
      ['operations', /^Its history has 2 moves, and it is in version 3$/],
      ['operations', /^The journal has an entry for version 2, which moves no money$/],
    ],
  },
  'an entry of another amount': {
    collection: 'journalEntries',
    filter: { kind: 'FUNDING' },
    change: { $set: { 'lines.0.amount': 'much' } },
    found: [
      ['operations', /^The entry for version 2 has other amounts than its posting rule gives$/],
      ['journal', /^was changed, or the entry before it$/],
      ['journal', /^does not balance$/],
    ],
  },
  'an entry that is gone': {
    collection: 'journalEntries',
    filter: { kind: 'PAYOUT' },
    change: 'remove',
    found: [
      ['operations', /^The journal has no entry for version 3, which is a PAYOUT$/],
      ['journal', /./],
    ],
  },
  'an entry without a place': {
    collection: 'journalEntries',
    filter: { kind: 'CLAIM' },
    change: { $set: { pending: true, createdAt: new Date(Date.now() - 3_600_000) }, $unset: { number: 1 } },
    found: [
      ['journal', /^The entry has no place in the chain$/],
      ['journal', /./],
    ],
  },
  'an entry that was never sealed': {
    collection: 'journalEntries',
    filter: { kind: 'FUNDING' },
    change: { $unset: { number: 1, pending: 1 } },
    found: [
      ['operations', /^The entry for version 2 has no place in the chain, and waits for none$/],
      ['journal', /./],
    ],
  },
  'a sum of the figures': {
    collection: 'figures',
    filter: { _id: /operation\|/ },
    change: ({ counts }) => {
      const [hour] =
        Object.entries<mongo.Document>(counts).find(([, { money }]) => money?.MXN?.completed) ?? [];
      return { $set: { [`counts.${hour}.money.MXN.completed`]: mongoose.mongo.Decimal128.fromString('1') } };
    },
    found: [['operationFigures', /^The records give \S+, the figures 1$/]],
  },
  'an event that is gone': {
    collection: 'events',
    filter: { entity: 'operation', version: 3 },
    change: 'remove',
    found: [['operations', /^It is \w+ in version 3, and its last event says \w+ in version 2$/]],
  },
  'an event that continues nothing': {
    collection: 'events',
    filter: { entity: 'requestMoney', version: 2, status: 'processing' },
    change: { $set: { previousStatus: 'completed' } },
    found: [
      ['moneyRequests', /^The event of version 2 does not continue the event before it$/],
      [
        'moneyRequests',
        /^The event of version 2 moves from completed to processing, which is no allowed change$/,
      ],
    ],
  },
  'a webhook that an event names and that is gone': {
    collection: 'webhookDeliveries',
    filter: { event: 'operation_created' },
    change: 'remove',
    found: [['moneyRequests', /^The webhook \S+ of one of its events is missing$/]],
  },
  'a webhook of another state': {
    collection: 'webhookDeliveries',
    filter: {},
    change: { $set: { version: 7 } },
    found: [['deliveries', /^It is \w+ in version 7, and its last event says \w+ in version \d$/]],
  },
  'an atomic call of another state': {
    collection: 'remittances',
    filter: {},
    change: { $set: { status: 'FAILED' } },
    found: [['remittances', /^It is FAILED in version \d, and its last event says SUCCEEDED in version \d$/]],
  },
  'a money request without its operation': {
    collection: 'moneyRequests',
    filter: { status: 'completed' },
    change: { $unset: { operationId: 1 } },
    found: [['moneyRequests', /^It is completed, and its operation is none$/]],
  },
  'a figure': {
    collection: 'figures',
    filter: { _id: /requestMoney/ },
    change: 'remove',
    found: [['moneyRequestFigures', /^The records give \S+, the figures 0$/]],
  },
};

describe('an audit names', () => {
  test.each(sweepOf(Object.entries(DAMAGES), ([, { found }]) => String(found[0]?.[0])))(
    '%s',
    async (_name, { collection: name, filter, change, found }) => {
      const before = await collection(name).findOne(filter);
      if (!before) {
        throw new Error(`${name} has no such record`);
      }
      const { _id } = before;
      if (change === 'remove') {
        await collection(name).deleteOne({ _id });
      } else {
        await collection(name).updateOne({ _id }, typeof change === 'function' ? change(before) : change);
      }
      try {
        const texts = (await violations(1, AUDITED)).map(({ check, text }) => ({ check, text }));
        for (const [check, text] of found) {
          expect(texts).toContainEqual({ check, text: expect.stringMatching(text) });
        }
        const checks = new Set(found.map(([check]) => check));
        expect(texts.filter(({ check }) => !checks.has(check))).toEqual([]);
      } finally {
        await collection(name).replaceOne({ _id }, before, { upsert: true });
      }
    },
  );
});

test('the hourly audit counts violations for the metrics', async () => {
  const { audit } = payments.target.subgraphs;
  const before = audit.violations().journal;
  const head = await collection('journalHeads').findOne({});
  await collection('journalHeads').updateOne({}, { $set: { hash: 'other' } });
  await audit.runDaily(new AbortController().signal);
  await collection('journalHeads').replaceOne({}, head ?? {});
  expect(audit.violations().journal).toBe(Number(before) + 2);
  const metrics = (await payments.exchange({ method: 'GET', path: '/metrics' })).text;
  expect(metrics).toMatch(/^audit_violations_total\{check="journal"\} \d+$/m);
});

describe('the command audit', () => {
  test('exits with 0 without violations, and with 1 for each that it prints', async () => {
    expect(await payments.run('audit', ['--days', '2'])).toMatch(/[1-9]\d* records examined, 0 violations/);
    const moneyRequests = collection('moneyRequests');
    const before = await moneyRequests.findOne({ status: 'cancelled' });
    const its = { referenceId: before?.referenceId };
    await moneyRequests.updateOne(its, { $set: { version: 9 } });
    const printed = await payments.run('audit', ['--tenant', 'acme', '--json'], 1);
    await moneyRequests.updateOne(its, { $set: { version: before?.version } });
    const line = printed.split('\n').find((text) => text.startsWith('{'));
    expect(JSON.parse(String(line))).toMatchObject({
      check: 'moneyRequests',
      accountId: 'acme/sandbox',
      record: before?.referenceId,
    });
  });

  test('fails for a partner that does not exist', async () => {
    expect(await payments.run('audit', ['--tenant', 'nobody'], 1)).toMatch(/There is no partner nobody/);
  });

  test('exits with 2 for an invalid command line', async () => {
    for (const args of IS_FULL ? [['--days', '0'], ['--live'], ['--nothing']] : [['--live']]) {
      await payments.run('audit', args, 2);
    }
  });
});
