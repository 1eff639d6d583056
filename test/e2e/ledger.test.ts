import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { sweepOf } from '../support/depth.ts';
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

describe('the command ledger', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-ledger-'));
  const file = join(folder, 'journal.jsonl');
  scene.atEnd(async () => rmSync(folder, { recursive: true }));
  /** No database is there. */
  const offline = { MONGODB_URI: 'mongodb://127.0.0.1:9/none' };

  test('exports the journal, and finds nothing in the file', async () => {
    await payments.run('ledger', ['export', '--file', file]);
    expect(await payments.run('ledger', ['verify', '--file', file], 0, offline)).toMatch(/ 0 findings/);
    // It overwrites no file.
    await payments.run('ledger', ['export', '--file', file], 1);
  });

  test('exports each entry as the same line each time', async () => {
    const later = join(folder, 'later.jsonl');
    await payments.run('ledger', ['export', '--file', later]);
    const [before, after] = [file, later].map((name) => readFileSync(name, 'utf8').split('\n'));
    const entries = before?.filter((line) => line.includes('"type":"entry"'));
    expect(entries?.length).toBeGreaterThan(5);
    expect(after).toEqual(expect.arrayContaining(entries ?? []));
  });

  test('finds a changed amount, a missing line and another key, without the database', async () => {
    const text = readFileSync(file, 'utf8');
    const changed = join(folder, 'changed.jsonl');
    writeFileSync(changed, text.replace(/"amount":"(\d)/, '"amount":"9$1'));
    const [finding] = (
      await payments.run('ledger', ['verify', '--file', changed, '--json'], 1, offline)
    ).split('\n');
    expect(JSON.parse(String(finding))).toMatchObject({ accountId: 'acme/sandbox', place: '1' });
    writeFileSync(changed, text.split('\n').slice(1).join('\n'));
    await payments.run('ledger', ['verify', '--file', changed], 1, offline);
    const other = { ...offline, ENCRYPTION_KEY: 'a'.repeat(64) };
    expect(await payments.run('ledger', ['verify', '--file', file], 1, other)).toMatch(/ENCRYPTION_KEY/);
  });

  test('names the line of a file that is no export', async () => {
    const wrong = join(folder, 'wrong.jsonl');
    writeFileSync(wrong, '{"type":"entry","value":{}}\n');
    expect(await payments.run('ledger', ['verify', '--file', wrong], 1, offline)).toMatch(
      /line 1 is no line of an export/,
    );
  });

  test.each(
    sweepOf([['import'], ['export'], ['verify'], ['export', '--file', 'x', '--from', 'May']], (args) =>
      args.length === 1 ? 'an option is missing' : 'an option is wrong',
    ),
  )('exits with 2 for %s %s %s %s', async (...args) => {
    await payments.run('ledger', args.filter(Boolean), 2);
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
