import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { queryGraph } from '../support/money-requests.ts';
import { makePayments, type Payments } from '../support/payments.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';

const scene = useScene();
let payments: Payments;
beforeAll(async () => {
  payments = await makePayments(scene);
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
    const { data } = await queryGraph<Answer>(payments.exchange, JOURNAL);
    const kinds = data?.journal.nodes.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['CLAIM', 'FUNDING', 'PAYOUT', 'RELEASE']));
    expect(data?.ledgerBalances.entries).toBe(data?.journal.totalCount);
    const operationId = data?.journal.nodes[0]?.operationId;
    const where = { operationId, createdAt: { gte: '2020-01-01T00:00:00Z' } };
    const own = await queryGraph<Answer>(payments.exchange, JOURNAL, { where });
    expect(new Set(own.data?.journal.nodes.map((one) => one.operationId))).toEqual(new Set([operationId]));
  });

  test.each([
    ['another partner', KEYS.globex],
    ["the partner's other environment", KEYS.acmeLive],
  ])('is not that of %s', async (_who, key) => {
    const { data } = await queryGraph<Answer>(payments.exchange, JOURNAL, {}, key);
    expect(data).toEqual({
      journal: { nodes: [], totalCount: 0 },
      ledgerBalances: { entries: 0, asOf: null, balances: [] },
    });
  });

  test('needs the scope partner', async () => {
    const { errors } = await queryGraph(payments.exchange, JOURNAL, {}, KEYS.acmeWithoutPartner);
    expect(errors?.map(({ extensions }) => extensions?.code)).toContain('FORBIDDEN');
  });
});

describe('a settlement file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-settlement-'));
  const [file, mapping] = [join(folder, 'acquirer.csv'), join(folder, 'acquirer.json')];
  scene.atEnd(async () => rmSync(folder, { recursive: true }));
  const COMMAND = ['import', '--file', file, '--mapping', mapping, '--tenant', 'acme', '--sandbox', '--json'];
  const JOURNAL = `{ journal(first: 100) { nodes { operationId createdAt lines { account currency amount } } } }`;
  const DISCREPANCIES = `{ discrepancies { totalCount nodes {
    id kind state owner provider fileId line reference currency providerAmount providerDay ourAmount ourDay version log { by } createdAt
  } } }`;
  const metrics = async () => (await payments.exchange({ method: 'GET', path: '/metrics' })).text;
  interface Journal {
    readonly journal: {
      readonly nodes: readonly {
        readonly operationId: string;
        readonly createdAt: string;
        readonly lines: readonly {
          readonly account: string;
          readonly currency: string;
          readonly amount: string;
        }[];
      }[];
    };
  }
  interface Found {
    readonly discrepancies: {
      readonly totalCount: number;
      readonly nodes: readonly { readonly id: string; readonly kind: string; readonly reference: string }[];
    };
  }

  test('is compared with the journal, once, and its discrepancies are in the graph', async () => {
    const { data } = await queryGraph<Journal>(payments.exchange, JOURNAL);
    const rows = (data?.journal.nodes ?? []).flatMap(({ operationId, createdAt, lines }) =>
      lines
        .filter(({ account }) => account === 'PROVIDER_CLEARING')
        .map(({ currency, amount }) => `${operationId};${amount};${createdAt};${currency}`),
    );
    expect(rows.length).toBeGreaterThan(1);
    writeFileSync(
      file,
      ['ref;sum;at;ccy', ...rows, `=unknown;7;${new Date().toISOString()};USD`].join('\r\n'),
    );
    writeFileSync(
      mapping,
      JSON.stringify({
        provider: 'acquirer',
        columns: { reference: 'ref', amount: 'sum', date: 'at', currency: 'ccy' },
        ...{ currencies: ['USD', 'MXN', 'CAD', 'GTQ', 'EUR'], dateFormat: 'ISO', decimalSign: '.' },
        ...{ amounts: 'signed', delimiter: ';' },
      }),
    );
    const counts = { rows: rows.length + 1, matched: rows.length, opened: { MISSING_WITH_US: 1 } };
    const RECEIVE = `mutation { updateOperationalEventsConfig(input: { url: "https://ops.acme.example/in" }) { userErrors { code } } }`;
    expect(await queryGraph(payments.exchange, RECEIVE)).toMatchObject({
      data: { updateOperationalEventsConfig: { userErrors: [] } },
    });
    const imported = async () => {
      const output = await payments.run('ledger', COMMAND, 1);
      return JSON.parse(output.split('\n').find((line) => line.startsWith('{')) ?? '');
    };
    expect(await imported()).toMatchObject({ ...counts, isRepeated: false });
    expect(await imported()).toMatchObject({ ...counts, isRepeated: true });
    const deliveries = payments.target.connection.collection('webhookDeliveries');
    expect(await deliveries.countDocuments({ event: 'discrepancy.opened' })).toBe(1);
    const found = await queryGraph<Found>(payments.exchange, DISCREPANCIES);
    expect(found.data?.discrepancies).toMatchObject({
      totalCount: 1,
      nodes: [
        {
          kind: 'MISSING_WITH_US',
          state: 'OPEN',
          reference: '=unknown',
          providerAmount: '7',
          ourAmount: null,
        },
      ],
    });
    for (const key of [KEYS.globex, KEYS.acmeLive]) {
      const { data: others } = await queryGraph<Found>(payments.exchange, DISCREPANCIES, {}, key);
      expect(others?.discrepancies.totalCount).toBe(0);
    }
    expect(await metrics()).toMatch(/^settlement_discrepancies\{state="open"\} 1$/m);
  });

  test('has discrepancies that somebody resolves, each version once', async () => {
    const { data } = await queryGraph<Found>(payments.exchange, DISCREPANCIES);
    const input = { id: data?.discrepancies.nodes[0]?.id, version: 0, state: 'ACCEPTED', note: 'A test' };
    const RESOLVE = `mutation ($input: ResolveDiscrepancyInput!) {
      resolveDiscrepancy(input: $input) { discrepancy { state version log { state note } } userErrors { code } }
    }`;
    const resolve = (key?: string) => queryGraph(payments.exchange, RESOLVE, { input }, key);
    expect(await resolve(KEYS.globex)).toMatchObject({
      data: { resolveDiscrepancy: { discrepancy: null, userErrors: [{ code: 'DISCREPANCY_NOT_FOUND' }] } },
    });
    expect(await resolve()).toMatchObject({
      data: {
        resolveDiscrepancy: {
          discrepancy: { state: 'ACCEPTED', version: 1, log: [{ state: 'ACCEPTED', note: 'A test' }] },
        },
      },
    });
    expect(await resolve()).toMatchObject({
      data: { resolveDiscrepancy: { userErrors: [{ code: 'DISCREPANCY_CHANGED' }] } },
    });
    expect(await metrics()).toMatch(/^settlement_discrepancies\{state="open"\} 0$/m);
  });
});
