import { beforeEach, describe, expect, test } from '@jest/globals';
import { isDuplicateKey } from '../../kernel/database/transaction.ts';
import { newCorrelationId, useBench } from '../testing.ts';
import { MOST_WAIT_MS } from './request-money-v2/await-result.ts';

const bench = useBench();
let userId: string;

beforeEach(async () => {
  userId = await bench.newUser();
});

describe('a correlation id', () => {
  test('is used once, and its repetition calls no provider', async () => {
    const correlationId = newCorrelationId();
    await bench.request(userId, { correlationId });
    bench.calls.length = 0;
    expect(await bench.request(userId, { correlationId, recipientAmount: 5 })).toMatchObject({
      failures: [{ code: 'ERROR_CORRELATION_ID_ALREADY_USED', path: ['correlationId'] }],
    });
    expect(bench.calls).toEqual([]);
  });

  test('100 at once are one operation', async () => {
    const correlationId = newCorrelationId();
    const begun = performance.now();
    const rivals = await Promise.all(
      Array.from({ length: 100 }, () => bench.request(userId, { correlationId })),
    );
    const waitedTooLong = performance.now() - begun > MOST_WAIT_MS;
    const codes = new Set(rivals.map((result) => (result.ok ? 'ok' : result.failures[0]?.code)));
    expect(codes).toContain('ok');
    // Those that came when it was done get the answer of a used id; on a busy machine others may wait in vain.
    const others = ['ERROR_CORRELATION_ID_ALREADY_USED', waitedTooLong && 'ERROR_INTERNAL_SERVER_ERROR'];
    expect([...codes].filter((code) => code !== 'ok' && !others.includes(code ?? ''))).toEqual([]);
    expect(bench.calls.filter(({ provider }) => provider === 'funding')).toHaveLength(1);
    expect(await bench.models.operations.countDocuments({ operationId: correlationId })).toBe(1);
    const { moves, events } = await bench.stored(correlationId);
    expect([moves.length, events.length]).toEqual([1, 1]);
    const contact = await bench.deps.users.findContact(
      { accountId: 'acme/sandbox', userId },
      { phoneNumber: '+13125550188' },
    );
    expect(contact?.requests).toBe(1);
  });

  test('requests with other ids to the same new person at once are all made', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => bench.request(userId)));
    expect(made.map(({ ok }) => ok)).toEqual(Array(8).fill(true));
    expect(new Set(made.map((one) => one.ok && one.value.contactId)).size).toBe(1);
    expect(new Set(made.map((one) => one.ok && one.value.paymentMethodId)).size).toBe(1);
  });

  test('a request and an atomic call at once: one of them gets it', async () => {
    const correlationId = newCorrelationId();
    const { operationIds, transaction } = bench.deps;
    const accept = () =>
      transaction((unit) =>
        operationIds.reserve({ accountId: 'acme/sandbox', operationId: correlationId }, unit),
      ).then(
        () => true,
        (error: unknown) => {
          if (!isDuplicateKey(error)) {
            throw error;
          }
          return false;
        },
      );
    const [requested, ...accepted] = await Promise.all([
      bench.request(userId, { correlationId }),
      accept(),
      accept(),
    ]);
    expect([requested.ok, ...accepted].filter(Boolean)).toHaveLength(1);
    expect(requested.ok).toBe((await bench.stored(correlationId)).operation !== null);
  });

  test('is free for other tenants', async () => {
    const correlationId = newCorrelationId();
    await bench.request(userId, { correlationId });
    const { operationIds, transaction } = bench.deps;
    await transaction((unit) =>
      operationIds.reserve({ accountId: 'globex/sandbox', operationId: correlationId }, unit),
    );
    const accountIds = ['acme/sandbox', 'globex/sandbox', 'initech/sandbox'] as const;
    expect(await operationIds.having(accountIds, correlationId)).toEqual(['acme/sandbox', 'globex/sandbox']);
  });
});
