import { describe, expect, test } from '@jest/globals';
import { bodyOf, principal, START, send, usePipelineBench } from '../testing.ts';

const bench = usePipelineBench();
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

async function startIdle() {
  const pipeline = bench.start();
  await pipeline.worker.stop();
  return pipeline;
}

const unusable = (message: string) => ({
  ok: false,
  failures: [
    {
      code: 'ERROR_REQUEST_MONEY_FULL',
      path: ['request', 'quoteId'],
      message: `request.quoteId ${message}`,
    },
  ],
});

describe('an atomic call with a quote', () => {
  test('is accepted at its price', async () => {
    const pipeline = await startIdle();
    const quoteId = await newQuote();
    const accepted = await bench.accept(pipeline, bodyOf({ request: { quoteId } }));
    expect(accepted.quote).toEqual({
      ...{ recipientAmount: '1500.5', recipientCurrency: 'MXN', senderAmount: '100.03' },
      ...{ senderCurrency: 'USD', exchangeRate: '15', tenantFee: '1', amount: '101.03' },
    });
    expect(await bench.count('quotes', { usedAt: START })).toBe(1);
  });

  test.each([
    ['unknown', { accountId: 'acme/live' }, 'must be a quote of this partner'],
    ['another amount', { recipientAmount: '1' }, 'must be a quote for this amount, currency and corridor'],
    ['used', { usedAt: START }, 'was already used'],
    ['expired', { expiresAt: START }, 'has expired'],
  ])('%s: it fails and nothing is saved', async (_title, changes, message) => {
    const pipeline = await startIdle();
    const quoteId = await newQuote(changes);
    const sent = await send(pipeline, principal, bodyOf({ request: { quoteId } }));
    expect(sent).toMatchObject(unusable(message));
    expect([await bench.count('remittances'), await bench.count('users')]).toEqual([0, 0]);
  });

  test.each([[7], [null], ['']])('fails with %j for its id', async (quoteId) => {
    const sent = await send(await startIdle(), principal, bodyOf({ request: { quoteId } }));
    expect(sent).toMatchObject({
      failures: [{ code: 'ERROR_REQUEST_MONEY_FULL', path: ['request', 'quoteId'] }],
    });
  });

  test('that comes again fails for its correlation id, not for its quote', async () => {
    const pipeline = await startIdle();
    const body = bodyOf({ request: { quoteId: await newQuote() } });
    await bench.accept(pipeline, body);
    expect(await send(pipeline, principal, body)).toMatchObject({
      failures: [{ code: 'ERROR_CORRELATION_ID_ALREADY_USED' }],
    });
  });

  test('many at once: one gets the quote, the others leave nothing', async () => {
    const pipeline = await startIdle();
    const quoteId = await newQuote();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => send(pipeline, principal, bodyOf({ request: { quoteId } }))),
    );
    const failed = answers.flatMap((answer) => (answer.ok ? [] : answer.failures));
    expect(failed).toHaveLength(29);
    for (const failure of failed) {
      expect(failure).toMatchObject({ code: 'ERROR_REQUEST_MONEY_FULL', path: ['request', 'quoteId'] });
    }
    expect([await bench.count('remittances'), await bench.count('users')]).toEqual([1, 1]);
  });
});

describe('a rate that is too old', () => {
  test('fails a live call without a quote, after all other checks', async () => {
    const live = { ...principal, accountId: 'acme/live' as const };
    const { tenants } = bench.deps;
    const find = tenants.find;
    const stale = {
      ...tenants,
      fxRate: async () => ({ rate: '18.25', asOf: START, isStale: true }),
      find: async (accountId: typeof live.accountId) => {
        const found = await find(accountId);
        return found && { ...found, environment: 'live' as const };
      },
    };
    const pipeline = bench.start({ tenants: stale });
    await pipeline.worker.stop();
    expect(await send(pipeline, live, bodyOf())).toMatchObject({ failures: [{ code: 'RATE_STALE' }] });
    const unnamed = bodyOf({ requester: { firstName: '' } });
    expect(await send(pipeline, live, unnamed)).toMatchObject({ failures: [{ code: 'INVALID_NAME' }] });
  });
});
