import { describe, expect, test } from '@jest/globals';
import { countCommands } from '../../../test/support/count-commands.ts';
import { bodyFor, bodyOf, newReference, START, useBench } from '../testing.ts';

const bench = useBench();
let quotes = 0;

/** A quote as the operations slice stores it, at another rate than that of the bench. */
async function newQuote(changes: object = {}): Promise<string> {
  quotes += 1;
  const quoteId = `qt_${quotes}`;
  await bench.database.connection.collection<{ _id: string; [name: string]: unknown }>('quotes').insertOne({
    ...{ _id: quoteId, accountId: 'acme/sandbox', sourceCountry: 'US', destinationCountry: 'MX' },
    ...{
      recipientAmount: '1500.50',
      recipientCurrency: 'MXN',
      senderAmount: '100.03',
      senderCurrency: 'USD',
    },
    ...{ exchangeRate: '15', tenantFee: '1', amount: '101.03', createdAt: START },
    expiresAt: new Date(START.getTime() + 60_000),
    removedAt: new Date('2100-01-01'),
    ...changes,
  });
  return quoteId;
}

const operationOf = (referenceId: string) =>
  bench.database.connection.collection('operations').findOne({ requestReferenceId: referenceId });
const usesOf = (quoteId: string) =>
  bench.database.connection
    .collection<{ _id: string }>('quotes')
    .countDocuments({ _id: quoteId, usedAt: { $exists: true } });
const unusable = (message: string) => ({
  ok: false,
  failures: [{ code: 'VALIDATION_FAILED', path: ['quoteId'], message }],
});

describe('a create with a quote', () => {
  test('is paid at its price, long after the quote and at another rate', async () => {
    const quoteId = await newQuote();
    const referenceId = newReference();
    expect(await bench.create(bodyOf(referenceId, { quoteId }))).toMatchObject({ ok: true });
    expect(await usesOf(quoteId)).toBe(1);
    bench.now = new Date(START.getTime() + 3_600_000);
    bench.deps.tenants.fxRate = async () => undefined;
    expect(await bench.update(referenceId, { status: 'processing' })).toMatchObject({ ok: true });
    expect(await operationOf(referenceId)).toMatchObject({
      exchangeRate: '15',
      senderAmount: '100.03',
      tenantFee: '1',
      amount: '101.03',
      recipientAmount: '1500.5',
    });
  });

  test.each([
    ['that nobody has', {}, 'qt_nobody', 'must be a quote of this partner'],
    ['of another account', { accountId: 'globex/sandbox' }, undefined, 'must be a quote of this partner'],
    ['of the other environment', { accountId: 'acme/live' }, undefined, 'must be a quote of this partner'],
    [
      'for another amount',
      { recipientAmount: '1500.51' },
      undefined,
      'must be a quote for this amount, currency and corridor',
    ],
    [
      'from another country',
      { sourceCountry: 'CA' },
      undefined,
      'must be a quote for this amount, currency and corridor',
    ],
    [
      'to another country',
      { destinationCountry: 'GT' },
      undefined,
      'must be a quote for this amount, currency and corridor',
    ],
    ['that is used', { usedAt: START }, undefined, 'was already used'],
    ['that has expired', { expiresAt: START }, undefined, 'has expired'],
  ])('%s fails, and nothing is saved', async (_title, changes, other, message) => {
    const quoteId = await newQuote(changes);
    const referenceId = newReference();
    const created = await bench.create(bodyOf(referenceId, { quoteId: other ?? quoteId }));
    expect(created).toMatchObject(unusable(message));
    expect(bench.dataOf('operation_error')).toMatchObject({ httpStatus: 422, code: 'VALIDATION_FAILED' });
    expect(await bench.deps.moneyRequests.find('acme/sandbox', referenceId)).toBeUndefined();
  });

  test.each([[7], [null], [''], [[]], ['x'.repeat(256)]])('fails with %j for its id', async (quoteId) => {
    expect(await bench.create(bodyOf(newReference(), { quoteId }))).toMatchObject({
      failures: [{ code: 'VALIDATION_FAILED', path: ['quoteId'] }],
    });
  });

  test('is answered again under its idempotency key, also after the quote has expired', async () => {
    const quoteId = await newQuote();
    const body = bodyOf(newReference(), { quoteId });
    const first = await bench.create(body, 'key-1');
    bench.now = new Date(START.getTime() + 120_000);
    const second = await bench.create(body, 'key-1');
    expect(second).toMatchObject({
      ok: true,
      value: { isReplay: true, moneyRequest: { requestId: first.ok && first.value.moneyRequest.requestId } },
    });
    expect(await bench.create(bodyOf(newReference(), { quoteId: 'qt_other' }), 'key-1')).toMatchObject({
      failures: [{ code: 'IDEMPOTENCY_KEY_REUSED' }],
    });
  });

  test('costs the read of the quote, and no other command', async () => {
    const quoteId = await newQuote();
    const counted = (changes: Readonly<Record<string, unknown>>) =>
      countCommands(bench.database.connection, async () => {
        expect(await bench.create(bodyOf(newReference(), changes))).toMatchObject({ ok: true });
      });
    await counted({});
    const without = await counted({});
    expect(without['find quotes']).toBeUndefined();
    expect(await counted({ quoteId })).toEqual({ ...without, 'find quotes': 1 });
  });
});

describe('many creates at once', () => {
  test.each([
    ['of many users', () => bodyOf(newReference())],
    ['of one user, who share transactions', () => bodyFor('u-racing')],
  ])('%s: one gets the quote, the others fail and leave nothing', async (_title, body) => {
    const quoteId = await newQuote();
    const bodies = Array.from({ length: 40 }, () => JSON.stringify({ ...JSON.parse(body()), quoteId }));
    const answers = await Promise.all(bodies.map((one) => bench.create(one)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    for (const answer of answers) {
      expect(answer.ok || answer.failures[0]).toEqual(
        answer.ok || expect.objectContaining({ code: 'VALIDATION_FAILED', path: ['quoteId'] }),
      );
    }
    const made = await bench.database.connection
      .collection('moneyRequests')
      .countDocuments({ referenceId: { $in: bodies.map((one) => JSON.parse(one).referenceId) } });
    expect([made, await usesOf(quoteId)]).toEqual([1, 1]);
  });

  test('identical ones under one idempotency key get the same money request', async () => {
    const quoteId = await newQuote();
    const body = bodyOf(newReference(), { quoteId });
    const answers = await Promise.all(Array.from({ length: 16 }, () => bench.create(body, 'key-racing')));
    const ids = answers.map((answer) =>
      answer.ok ? answer.value.moneyRequest.requestId : answer.failures[0]?.message,
    );
    expect(new Set(ids)).toEqual(new Set([expect.stringMatching(/^req_/)]));
  });
});

describe('a rate that is too old', () => {
  const asLive = () => {
    const { tenants } = bench.deps;
    const find = tenants.find;
    tenants.fxRate = async () => ({ rate: '20', asOf: START, isStale: true });
    tenants.find = async (accountId) => {
      const found = await find(accountId);
      return found && { ...found, environment: 'live' };
    };
  };

  test('fails a live create without a quote, and not one with a quote', async () => {
    const quoteId = await newQuote();
    asLive();
    expect(await bench.create(bodyOf(newReference()))).toMatchObject({ failures: [{ code: 'RATE_STALE' }] });
    expect(bench.dataOf('operation_error')).toMatchObject({
      httpStatus: 503,
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(await bench.create(bodyOf(newReference(), { quoteId }))).toMatchObject({ ok: true });
  });

  test('leaves a money request where it is, as a missing rate does', async () => {
    const referenceId = newReference();
    await bench.create(bodyOf(referenceId));
    asLive();
    expect(await bench.update(referenceId, { status: 'processing' })).toMatchObject({
      failures: [{ code: 'NO_PRICE', message: 'The exchange rate from USD to MXN is too old.' }],
    });
    expect(bench.deps.missingPrices.count()).toBe(1);
  });
});
