import { expect, test } from '@jest/globals';
import { CARD, newCorrelationId, useBench } from '../testing.ts';
import { scriptFunding, TIMED_OUT } from '../testing-funding.ts';
import { createOperationErasure } from './erase-user.ts';

const bench = useBench();

const hasOpen = (userId: string) => {
  const { box, transaction } = bench.deps;
  const webhooks = { eraseAbout: async () => undefined };
  const source = createOperationErasure({ connection: bench.database.connection, box, webhooks });
  return transaction((unit) => source.hasOpen({ accountId: 'acme/sandbox', userId }, bench.now, unit));
};

test('a v2 request is open while a call is under way, and while its payer may hold it', async () => {
  const userId = await bench.newUser();
  const funding = scriptFunding(bench);
  const answer = funding.hold();
  const running = bench.request(userId, { correlationId: newCorrelationId() });
  await funding.untilCalled(1);
  expect(await hasOpen(userId)).toBe(true);
  answer(TIMED_OUT);
  expect(await running).toMatchObject({ ok: false });
  expect(await hasOpen(userId)).toBe(true);
});

test('a v2 request is not open when no payer was asked and its caller does not come back', async () => {
  const userId = await bench.newUser();
  const verify = async () => ({ kind: 'unavailable', reason: 'Away.' }) as const;
  bench.deps.providers = { ...bench.deps.providers, cards: { verify } };
  const changes = { correlationId: newCorrelationId(), destinationPaymentMethod: CARD };
  expect(await bench.request(userId, changes)).toMatchObject({
    failures: [{ code: 'ERROR_INTERNAL_SERVER_ERROR' }],
  });
  expect(await hasOpen(userId)).toBe(false);
});
