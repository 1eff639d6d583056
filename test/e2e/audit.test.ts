import { beforeAll, describe, expect, test } from '@jest/globals';
import type { mongo } from 'mongoose';
import type { Violation } from '../../subgraphs/runtime/audit/audit.ts';
import { sweepOf } from '../support/depth.ts';
import { type Exchange, injectInto } from '../support/http.ts';
import { fillTenant } from '../support/isolation/tenant-data.ts';
import {
  createMoneyRequest,
  moneyRequestBody,
  newReference,
  queryGraph,
  updateStatus,
} from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const scene = useScene();
let target: TestApp;
let exchange: Exchange;
const collection = (name: string) => target.connection.collection<mongo.Document>(name);

beforeAll(async () => {
  const { env } = await scene.deploy();
  target = await buildTestApp(env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
  await fillTenant({ accountId: 'acme/sandbox', key: KEYS.acme }, exchange);
  for (const path of [
    [],
    ['processing'],
    ['processing', 'completed'],
    ['processing', 'rejected'],
    ['cancelled'],
  ]) {
    const referenceId = newReference();
    expect((await createMoneyRequest(exchange, moneyRequestBody(referenceId))).status).toBe(201);
    for (const status of path) {
      expect((await updateStatus(exchange, { referenceId, status })).status).toBe(200);
    }
  }
  await until('everything is sealed and numbered', async () => {
    const waiting = await Promise.all(
      ['events', 'journalEntries'].map((name) => collection(name).countDocuments({ pending: true })),
    );
    return waiting.every((count) => count === 0);
  });
});

async function violations(days?: number): Promise<Violation[]> {
  const found: Violation[] = [];
  const examined: Record<string, number> = {};
  for await (const batch of target.subgraphs.audit.run({ days }, new AbortController().signal)) {
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

/** A change by hand: what it breaks, and the texts that name it. */
interface Damage {
  readonly collection: string;
  readonly filter: object;
  readonly change: object | 'remove';
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
      ['moneyRequests', /^It is completed, and its operation \S+ is Failed$/],
      ['operationFigures', /Completed$|^The records give 0, the figures 1$/],
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
    change: { $set: { lines: [] } },
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
    found: [['moneyRequests', /^The event of version 2 does not continue the event before it$/]],
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
    found: [['moneyRequests', /^It is completed without an operation$/]],
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
        await collection(name).updateOne({ _id }, change);
      }
      try {
        const texts = (await violations(1)).map(({ check, text }) => ({ check, text }));
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
  const { audit } = target.subgraphs;
  const before = audit.counts().journal;
  const head = await collection('journalHeads').findOne({});
  await collection('journalHeads').updateOne({}, { $set: { hash: 'other' } });
  await audit.runDaily(new AbortController().signal);
  await collection('journalHeads').replaceOne({}, head ?? {});
  expect(audit.counts().journal?.violations).toBe(Number(before?.violations) + 2);
  const metrics = (await exchange({ method: 'GET', path: '/metrics' })).text;
  expect(metrics).toMatch(/^audit_violations_total\{check="journal"\} \d+$/m);
});

describe('the journal of a partner', () => {
  const JOURNAL = `query ($where: JournalWhereInput) {
    journal(first: 100, where: $where) {
      nodes { id kind operationId operationVersion createdAt number bookedAt hash lines { account currency amount } }
      totalCount
    }
    ledgerBalances { entries asOf balances { account currency amount } }
  }`;
  interface Answer {
    readonly journal: {
      readonly nodes: readonly { readonly operationId: string; readonly kind: string }[];
      readonly totalCount: number;
    };
    readonly ledgerBalances: { readonly entries: number; readonly balances: readonly unknown[] };
  }

  test('has the entries of its operations, and their balances', async () => {
    const { data } = await queryGraph<Answer>(exchange, JOURNAL);
    const kinds = data?.journal.nodes.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['CLAIM', 'FUNDING', 'PAYOUT', 'RELEASE']));
    expect(data?.ledgerBalances.entries).toBe(data?.journal.totalCount);
    const operationId = data?.journal.nodes[0]?.operationId;
    const where = { operationId, createdAt: { gte: '2020-01-01T00:00:00Z' } };
    const own = await queryGraph<Answer>(exchange, JOURNAL, { where });
    expect(new Set(own.data?.journal.nodes.map((one) => one.operationId))).toEqual(new Set([operationId]));
  });

  test.each([
    ['another partner', KEYS.globex],
    ["the partner's other environment", KEYS.acmeLive],
  ])('is not that of %s', async (_who, key) => {
    const { data } = await queryGraph<Answer>(exchange, JOURNAL, {}, key);
    expect(data).toEqual({
      journal: { nodes: [], totalCount: 0 },
      ledgerBalances: { entries: 0, asOf: null, balances: [] },
    });
  });

  test('needs the scope partner', async () => {
    const { errors } = await queryGraph(exchange, JOURNAL, {}, KEYS.acmeWithoutPartner);
    expect(errors?.map(({ extensions }) => extensions?.code)).toContain('FORBIDDEN');
  });
});
