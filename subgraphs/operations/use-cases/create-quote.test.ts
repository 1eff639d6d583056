import { beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'lossless-json';
import { countCommands } from '../../../test/support/count-commands.ts';
import { IS_FULL } from '../../../test/support/depth.ts';
import { andThen, type Result } from '../../kernel/errors/result.ts';
import type { Principal } from '../../kernel/principal.ts';
import { readCreateQuote } from '../commands/create-quote.ts';
import type { QuoteDocument } from '../store/quotes.ts';
import { newCorrelationId, principal, START, stranger, useBench } from '../testing.ts';

const bench = useBench();
let userId: string;

beforeEach(async () => {
  // The times of these tests are in the past, so the database would remove their quotes.
  const { collection } = bench.models.quotes;
  if (await collection.indexExists('removedAt_1')) {
    await collection.dropIndex('removedAt_1');
  }
  userId = await bench.newUser();
});

const QUOTED = { destinationCountry: 'MX', amount: 1825, currency: 'MXN' };

function quote(changes: object = {}, by: Principal = principal): Promise<Result<QuoteDocument>> {
  const body = parse(JSON.stringify({ ...QUOTED, ...changes }));
  return andThen(readCreateQuote(body), (command) => bench.service.createQuote(by, command));
}

async function newQuote(changes: object = {}, by: Principal = principal): Promise<string> {
  const made = await quote(changes, by);
  if (!made.ok) {
    throw new Error(JSON.stringify(made.failures));
  }
  return made.value._id;
}

const unusable = (message: string) => ({
  ok: false,
  failures: [{ code: 'ERROR_REQUEST_MONEY_FULL', path: ['quoteId'], message: `quoteId ${message}` }],
});
const UNKNOWN = unusable('must be a quote of this partner');
const OTHER = unusable('must be a quote for this amount, currency and corridor');

describe('a quote', () => {
  test('locks the price of an operation, for a minute by default', async () => {
    expect(await quote()).toMatchObject({
      value: {
        _id: expect.stringMatching(/^qt_.{20}$/),
        accountId: 'acme/sandbox',
        ...{ sourceCountry: 'US', destinationCountry: 'MX' },
        ...{ recipientAmount: '1825', recipientCurrency: 'MXN', senderAmount: '100', senderCurrency: 'USD' },
        ...{ exchangeRate: '18.25', tenantFee: '3', amount: '103' },
        rateAsOf: START,
        createdAt: START,
        expiresAt: new Date(START.getTime() + 60_000),
      },
    });
  });

  test.each([
    ['no destination', { destinationCountry: undefined }, ['destinationCountry']],
    ['no country', { sourceCountry: 'XX' }, ['sourceCountry']],
    ['no currency', { currency: 'XXX9' }, ['currency']],
    ['a text for the amount', { amount: '1825' }, ['amount']],
    ['an amount of 0', { amount: 0 }, ['amount']],
    ['too many decimals', { amount: 0.001 }, ['amount']],
    ['an amount whose price rounds to 0', { amount: 0.09 }, ['amount']],
    ['no life', { expiresInSeconds: 0 }, ['expiresInSeconds']],
    ['more than an hour', { expiresInSeconds: 3_601 }, ['expiresInSeconds']],
    ['part of a second', { expiresInSeconds: 1.5 }, ['expiresInSeconds']],
  ])('with %s fails', async (_title, changes, path) => {
    expect(await quote(changes)).toMatchObject({
      ok: false,
      failures: [{ code: 'VALIDATION_FAILED', path }],
    });
  });

  test.each([
    ['no route to the country', { destinationCountry: 'GT', currency: 'GTQ' }],
    ['no route in the currency', { currency: 'USD' }],
    ['no route from the country', { sourceCountry: 'MX' }],
  ])('with %s fails', async (_title, changes) => {
    expect(await quote(changes)).toMatchObject({ failures: [{ code: 'ROUTE_NOT_AVAILABLE' }] });
  });

  test('fails while the rate is too old for live calls, but not in the sandbox', async () => {
    const { tenants } = bench.deps;
    const find = tenants.find;
    tenants.fxRate = async () => ({ rate: '18.25', asOf: START, isStale: true });
    expect(await quote()).toMatchObject({ ok: true });
    tenants.find = async (accountId) => {
      const found = await find(accountId);
      return found && { ...found, environment: 'live' };
    };
    expect(await quote()).toMatchObject({ failures: [{ code: 'RATE_STALE' }] });
  });

  // The half of a cent is reached from both sides, with and without the fee of 2 %.
  test.each(['0.1', '0.27', '0.28', '4.56', '4.57', '1825.91', '999999.99'])(
    'of %s has the price of an operation, rounded alike',
    async (amount) => {
      const made = await quote({ amount: Number(amount) });
      const correlationId = newCorrelationId();
      await bench.request(userId, { correlationId, recipientAmount: Number(amount) });
      const { operation } = await bench.stored(correlationId);
      const { senderAmount, tenantFee, amount: total, exchangeRate } = operation ?? {};
      expect(made).toMatchObject({ value: { senderAmount, tenantFee, amount: total, exchangeRate } });
    },
  );
});

describe('a request with a quote', () => {
  test('has its price, whatever rate and fee are by then', async () => {
    const quoteId = await newQuote();
    const find = bench.deps.tenants.find;
    bench.deps.tenants.fxRate = async () => ({ rate: '20', isStale: false });
    bench.deps.tenants.find = async (accountId) => {
      const found = await find(accountId);
      return found && { ...found, fee: { fixed: '9', percent: '9' } };
    };
    const correlationId = newCorrelationId();
    expect(await bench.request(userId, { correlationId, quoteId })).toMatchObject({ ok: true });
    const { operation } = await bench.stored(correlationId);
    expect(operation).toMatchObject({ exchangeRate: '18.25', tenantFee: '3', amount: '103' });
  });

  test('may be live at a rate that is too old by then', async () => {
    const quoteId = await newQuote();
    const { tenants } = bench.deps;
    const find = tenants.find;
    tenants.fxRate = async () => ({ rate: '18.25', asOf: START, isStale: true });
    tenants.find = async (accountId) => {
      const found = await find(accountId);
      return found && { ...found, environment: 'live' };
    };
    expect(await bench.request(userId, {})).toMatchObject({ failures: [{ code: 'RATE_STALE' }] });
    const call = { correlationId: newCorrelationId(), quoteId };
    expect(await bench.request(userId, call)).toMatchObject({ ok: true });
    expect(await bench.request(userId, { ...call, recipientAmount: 7 })).toMatchObject({
      failures: [{ code: 'ERROR_CORRELATION_ID_ALREADY_USED' }],
    });
  });

  test('may write the same amount with other digits, which the operation keeps', async () => {
    const quoteId = await newQuote({ amount: 10.1 });
    const body = `{"requestTo":"+13125550188","correlationId":"digits-1","recipientAmount":10.10,"recipientCurrency":"MXN","quoteId":"${quoteId}","destinationPaymentMethod":{"type":"UBN","number":"032180000118359719","country":"MX","currency":"MXN"}}`;
    expect(await bench.send(principal, userId, parse(body))).toMatchObject({
      value: { recipientAmount: '10.10' },
    });
  });

  test('uses it once', async () => {
    const quoteId = await newQuote();
    const call = { correlationId: newCorrelationId(), quoteId };
    expect(await bench.request(userId, call)).toMatchObject({ ok: true });
    expect(await bench.request(userId, { ...call, recipientAmount: 7 })).toMatchObject({
      failures: [{ code: 'ERROR_CORRELATION_ID_ALREADY_USED' }],
    });
    expect(await bench.request(userId, { quoteId })).toMatchObject(unusable('was already used'));
  });

  test('fails from its end on', async () => {
    const [first, second] = [
      await newQuote({ expiresInSeconds: 1 }),
      await newQuote({ expiresInSeconds: 1 }),
    ];
    bench.now = new Date(START.getTime() + 999);
    expect(await bench.request(userId, { quoteId: first })).toMatchObject({ ok: true });
    bench.now = new Date(START.getTime() + 1_000);
    expect(await bench.request(userId, { quoteId: second })).toMatchObject(unusable('has expired'));
  });

  test('fails alike for a quote of another account and for one that nobody has', async () => {
    const foreign = await newQuote({}, stranger);
    for (const quoteId of [foreign, 'qt_nobody', '$where', 'x'.repeat(255)]) {
      expect(await bench.request(userId, { quoteId })).toMatchObject(UNKNOWN);
    }
  });

  test.each([
    ['another amount', { amount: 1825.01 }],
    ['another source', { sourceCountry: 'US' }],
  ])('is of its amount and corridor: %s', async (title, changes) => {
    const quoteId = await newQuote(changes);
    const requested = await bench.request(userId, { quoteId });
    expect(requested).toMatchObject(title === 'another amount' ? OTHER : { ok: true });
  });

  test.each([[7], [null], [''], [{}], ['x'.repeat(256)]])('fails with %j for its id', async (quoteId) => {
    expect(await bench.request(userId, { quoteId })).toMatchObject({
      failures: [{ code: 'ERROR_REQUEST_MONEY_FULL', path: ['quoteId'] }],
    });
  });

  test('of a used correlation id fails for that', async () => {
    const quoteId = await newQuote();
    const correlationId = newCorrelationId();
    await bench.request(userId, { correlationId, quoteId });
    bench.now = new Date(START.getTime() + 1);
    expect(await bench.request(userId, { correlationId, quoteId })).toMatchObject({
      failures: [{ code: 'ERROR_CORRELATION_ID_ALREADY_USED' }],
    });
  });

  test('that comes again after no answer continues at its price', async () => {
    const { funding } = bench.deps.providers;
    const request = funding.request;
    funding.request = async () => ({ kind: 'unavailable', reason: 'away', notSent: true });
    const quoteId = await newQuote();
    const correlationId = newCorrelationId();
    expect(await bench.request(userId, { correlationId, quoteId })).toMatchObject({ ok: false });
    funding.request = request;
    bench.now = new Date(START.getTime() + 3_600_000);
    expect(await bench.request(userId, { correlationId, quoteId })).toMatchObject({
      value: { exchangeRate: '18.25' },
    });
  });

  test('costs the read of the quote, and no other command', async () => {
    const quoteId = await newQuote();
    const counted = (changes: Readonly<Record<string, unknown>>) =>
      countCommands(bench.database.connection, async () => {
        expect(await bench.request(userId, changes)).toMatchObject({ ok: true });
      });
    await counted({});
    const without = await counted({});
    expect(without['find quotes']).toBeUndefined();
    expect(await counted({ quoteId })).toEqual({ ...without, 'find quotes': 1 });
  });
});

describe('many requests at once', () => {
  test('of an account for quotes are written in few transactions', async () => {
    const commands = await countCommands(bench.database.connection, async () => {
      const made = await Promise.all(Array.from({ length: 12 }, () => newQuote()));
      expect(new Set(made).size).toBe(12);
    });
    expect(commands.commitTransaction).toBeLessThanOrEqual(3);
  });

  test('one of them gets the quote', async () => {
    const quoteId = await newQuote();
    const users = [userId, await bench.newUser(), await bench.newUser()];
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) => bench.request(String(users[index % 3]), { quoteId })),
    );
    const failed = answers.flatMap((answer) => (answer.ok ? [] : answer.failures));
    expect(failed).toHaveLength(23);
    for (const failure of failed) {
      expect(failure).toMatchObject({ code: 'ERROR_REQUEST_MONEY_FULL', path: ['quoteId'] });
    }
  });

  test('identical ones get the same operation', async () => {
    const quoteId = await newQuote();
    const correlationId = newCorrelationId();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => bench.request(userId, { correlationId, quoteId })),
    );
    const ids = answers.map((answer) => (answer.ok ? answer.value._id : answer.failures[0]?.code));
    expect(new Set(ids)).toEqual(new Set([expect.stringMatching(/^o_/)]));
  });

  const RACING = IS_FULL ? 10_000 : 120;

  test(`${RACING} on quotes that expire meanwhile: none is priced by an expired quote, each quote is used at most once`, async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => bench.newUser()));
    const quotes: string[] = [];
    const answers: { quoteId: string; startedAt: number; ok: boolean }[] = [];
    let started = 0;
    const race = async (user: string) => {
      while (started < RACING) {
        started += 1;
        // Each quote is raced for by four requests, and a quarter of the quotes expires before most of them.
        if (started % 4 === 1) {
          quotes.push(await newQuote({ expiresInSeconds: 1 }));
        }
        const quoteId = String(quotes.at(-1 - (started % 3)) ?? quotes.at(-1));
        bench.now = new Date(bench.now.getTime() + (started % 16 === 0 ? 600 : 1));
        const startedAt = bench.now.getTime();
        answers.push({ quoteId, startedAt, ok: (await bench.request(user, { quoteId })).ok });
      }
    };
    await Promise.all(users.map(race));
    const stored = await bench.models.quotes.find({ _id: { $in: quotes } }).lean<QuoteDocument[]>();
    const used = new Map(stored.map((one) => [one._id, one]));
    const won = answers.filter(({ ok }) => ok);
    expect(won.length).toBeGreaterThan(0);
    expect(won.length).toBeLessThan(answers.length);
    expect(new Set(won.map(({ quoteId }) => quoteId)).size).toBe(won.length);
    for (const { quoteId, startedAt } of won) {
      const { expiresAt, usedAt } = used.get(quoteId) ?? {};
      expect([Number(usedAt) < Number(expiresAt), startedAt < Number(expiresAt)]).toEqual([true, true]);
    }
    expect(stored.filter(({ usedAt }) => usedAt !== undefined)).toHaveLength(won.length);
  }, 1_800_000);
});
