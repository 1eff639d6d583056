import { beforeEach, describe, expect, test } from '@jest/globals';
import { newOperationCode } from '../../kernel/database/ids.ts';
import { retryOnConflict } from '../../kernel/database/transaction.ts';
import { type Fulfilment } from '../port.ts';
import { newCorrelationId, priceOf, START, useBench } from '../testing.ts';
import { fulfil } from './fulfil-money-request.ts';
import { requestOperation } from './request-operation.ts';

const bench = useBench();
let userId: string;

beforeEach(async () => {
  userId = await bench.newUser();
});

/** Codes in this order, the last one for ever. */
function useCodes(...codes: string[]): void {
  const [last = ''] = codes.slice(-1);
  bench.deps.newCode = () => codes.shift() ?? last;
}

describe('a code', () => {
  test('that is taken is tried again', async () => {
    useCodes('TAKEN222', 'TAKEN222', 'TAKEN222', 'FREE2222');
    const first = await bench.request(userId);
    const second = await bench.request(userId);
    expect([first, second].map((made) => made.ok && made.value.code)).toEqual(['TAKEN222', 'FREE2222']);
  });

  test('that two take at once goes to one of them', async () => {
    let tried = 0;
    bench.deps.newCode = () => {
      tried += 1;
      return tried <= 4 ? 'RACE2222' : newOperationCode();
    };
    const made = await Promise.all(Array.from({ length: 4 }, () => bench.request(userId)));
    expect(made.map(({ ok }) => ok)).toEqual([true, true, true, true]);
    const codes = made.map((one) => (one.ok ? one.value.code : ''));
    expect(new Set(codes).size).toBe(4);
    expect(codes).toContain('RACE2222');
  });

  test('maker that only makes what is taken is an internal error, after which the request is finished', async () => {
    useCodes('ONLY2222');
    await bench.request(userId);
    const correlationId = newCorrelationId();
    await expect(bench.request(userId, { correlationId })).rejects.toMatchObject({ code: 11_000 });
    expect((await bench.stored(correlationId)).operation).toBeNull();
    bench.deps.newCode = newOperationCode;
    expect(await bench.request(userId, { correlationId })).toMatchObject({ ok: true });
  });
});

describe("a request in a caller's transaction", () => {
  const quote = {
    recipientAmount: '10.10',
    recipientCurrency: 'MXN',
    senderAmount: '0.55',
    senderCurrency: 'USD',
    exchangeRate: '18.25',
    tenantFee: '0',
    amount: '0.55',
  };
  const inputOf = async (operationId: string) => ({
    accountId: 'acme/sandbox' as const,
    operationId,
    userId,
    contactId: await bench.newContact(userId, { phoneNumber: '+13125550188' }),
    paymentMethodId: 'pm_1',
    quote,
    countries: { sourceCountry: 'US', destinationCountry: 'MX' },
    attributionLink: '',
    at: START,
  });

  test('takes the id that was reserved for it', async () => {
    const { operationIds, transaction } = bench.deps;
    const operationId = newCorrelationId();
    await transaction((unit) =>
      operationIds.reserve({ accountId: 'acme/sandbox' as const, operationId }, unit),
    );
    const input = await inputOf(operationId);
    await transaction((unit) => requestOperation(bench.deps, input, unit));
    const { operation } = await bench.stored(operationId);
    expect(operation).toMatchObject({ ...quote, status: 'Sent', statusDetails: 'RequestSent' });
    expect(await operationIds.isTaken({ accountId: 'acme/sandbox', operationId })).toBe(true);
  });

  test('takes another code in its next try when one is taken', async () => {
    useCodes('PORT2222', 'PORT2222', 'OPEN2222');
    for (const code of ['PORT2222', 'OPEN2222']) {
      const input = await inputOf(newCorrelationId());
      await retryOnConflict(() =>
        bench.deps.transaction((unit) => requestOperation(bench.deps, input, unit)),
      );
      expect((await bench.stored(input.operationId)).operation).toMatchObject({ code });
    }
  });

  test('is made once', async () => {
    const input = await inputOf(newCorrelationId());
    const make = () => bench.deps.transaction((unit) => requestOperation(bench.deps, input, unit));
    await make();
    await expect(make()).rejects.toThrow(/duplicate key/i);
    const contact = await bench.deps.users.findContact(
      { accountId: 'acme/sandbox' as const, userId },
      { phoneNumber: '+13125550188' },
    );
    expect(contact?.requests).toBe(1);
  });
});

describe('fulfilment', () => {
  const fulfilment = (changes: Partial<Fulfilment>): Fulfilment => ({
    accountId: 'acme/sandbox' as const,
    countries: { sourceCountry: 'US', destinationCountry: 'MX' },
    requestReferenceId: 'AB12cd34',
    recipientReferenceId: 'u-77',
    userId,
    quote: priceOf('5'),
    status: 'Completed',
    statusDetails: 'Funded',
    at: START,
    ...changes,
  });
  const run = (changes: Partial<Fulfilment>) =>
    bench.deps.transaction((unit) => fulfil(bench.deps, fulfilment(changes), unit));

  test('reserves its id', async () => {
    const operationId = newCorrelationId();
    expect(await run({ operationId })).toEqual({ ok: true, value: { operationId } });
    expect(await bench.request(userId, { correlationId: operationId })).toMatchObject({
      failures: [{ code: 'ERROR_CORRELATION_ID_ALREADY_USED' }],
    });
    expect((await bench.stored(operationId)).operation).toMatchObject({ completedAt: START, version: 3 });
  });

  test('creates no operation without a price, and moves one that has its price without another', async () => {
    const operationId = newCorrelationId();
    expect(await run({ operationId, quote: undefined })).toMatchObject({ failures: [{ code: 'NO_PRICE' }] });
    expect((await bench.stored(operationId)).operation).toBeNull();
    await run({ operationId, status: 'Funding' });
    expect(await run({ operationId, quote: undefined })).toEqual({ ok: true, value: { operationId } });
    expect((await bench.stored(operationId)).operation).toMatchObject({
      status: 'Completed',
      amount: '0.27',
    });
  });

  test('does not take an id that is kept for an atomic call', async () => {
    const operationId = newCorrelationId();
    const { operationIds, transaction } = bench.deps;
    await transaction((unit) =>
      operationIds.reserve({ accountId: 'acme/sandbox' as const, operationId }, unit),
    );
    expect(await run({ operationId })).toMatchObject({ failures: [{ path: ['operationId'] }] });
    expect((await bench.stored(operationId)).operation).toBeNull();
  });
});
