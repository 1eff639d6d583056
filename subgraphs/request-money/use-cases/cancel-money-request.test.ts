import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { MONEY_REQUEST_STATES, MONEY_REQUEST_STATUSES } from '../lifecycle.ts';
import { bodyOf, newReference, principal, START, useBench } from '../testing.ts';
import { expireDueMoneyRequests } from './expire-money-requests.ts';

const bench = useBench();
const cancel = (referenceId: string, body: unknown = {}, by = principal) =>
  bench.service.cancel(by, referenceId, body);
const stored = (referenceId: string) => bench.deps.moneyRequests.find('acme/sandbox', referenceId);

async function create(changes: Record<string, unknown> = {}): Promise<string> {
  const referenceId = newReference();
  await bench.create(bodyOf(referenceId, changes));
  bench.forget();
  bench.events.splice(0);
  return referenceId;
}

describe('A cancel by the partner', () => {
  test('ends a pending money request with its event and its webhooks, without an operation', async () => {
    const referenceId = await create();
    bench.now = new Date(START.getTime() + 1_000);
    const cancelled = { status: 'cancelled', statusDetails: 'CancelledByPartner', version: 2 };
    expect(await cancel(referenceId)).toMatchObject({ ok: true, value: cancelled });
    expect(await stored(referenceId)).toMatchObject({ ...cancelled, updatedAt: bench.now });
    expect(await stored(referenceId)).not.toHaveProperty('operationId');
    expect(bench.sent()).toEqual(['operation_updated', 'operation.cancelled']);
    expect(bench.dataOf('operation_updated')).toMatchObject({
      referenceId,
      status: 'cancelled',
      previousStatus: 'pending',
      statusDetails: 'CancelledByPartner',
      updatedAt: bench.now.toISOString(),
    });
    expect(bench.events).toMatchObject([
      {
        entity: 'requestMoney',
        entityId: referenceId,
        version: 2,
        type: 'request_money.status_changed',
        previousStatus: 'pending',
        status: 'cancelled',
        statusDetails: 'CancelledByPartner',
      },
    ]);
  });

  test('keeps its reason as the details', async () => {
    const referenceId = await create();
    expect(await cancel(referenceId, { reason: 'Returned' })).toMatchObject({
      value: { statusDetails: 'Returned' },
    });
    expect(bench.dataOf('operation.cancelled')).toMatchObject({ statusDetails: 'Returned' });
  });

  test.each([
    ['cancelled by the partner', async (referenceId: string) => void (await cancel(referenceId))],
    [
      'cancelled by the back end',
      async (referenceId: string) => void (await bench.update(referenceId, { status: 'cancelled' })),
    ],
    [
      'expired',
      async () => {
        bench.now = new Date(START.getTime() + 60_000);
        const deps = { ...bench.deps, log: pino({ level: 'silent' }) };
        await expireDueMoneyRequests(deps, new AbortController().signal);
      },
    ],
  ])('of a money request that was %s changes nothing and sends no event', async (_name, end) => {
    const referenceId = await create({ expiresInMinutes: 1 });
    await end(referenceId);
    bench.forget();
    bench.events.splice(0);
    const before = await stored(referenceId);
    expect(before).toMatchObject({ status: 'cancelled', version: 2 });
    expect(await cancel(referenceId, { reason: 'Another reason' })).toEqual({ ok: true, value: before });
    expect(await stored(referenceId)).toEqual(before);
    expect([...bench.sent(), ...bench.events]).toEqual([]);
  });

  test.each(['processing', 'completed', 'rejected'])(
    'of a money request that is %s fails without an event, and nothing moves',
    async (status) => {
      const referenceId = await create();
      await bench.update(referenceId, { status });
      bench.forget();
      bench.events.splice(0);
      expect(await cancel(referenceId)).toEqual({
        ok: false,
        failures: [
          { code: 'INVALID_TRANSITION', message: `A request that is ${status} cannot be cancelled.` },
        ],
      });
      expect(await stored(referenceId)).toMatchObject({ status, version: 2 });
      expect([...bench.sent(), ...bench.events]).toEqual([]);
    },
  );

  test('is possible only before a payer pays: no status that may be cancelled has an operation', () => {
    const cancellable = MONEY_REQUEST_STATUSES.filter((status) => MONEY_REQUEST_STATES[status].isCancellable);
    expect(cancellable).toEqual(['pending']);
    expect(cancellable.filter((status) => MONEY_REQUEST_STATES[status].operation)).toEqual([]);
  });

  test('is final: a payment that is reported later fails', async () => {
    const referenceId = await create();
    await cancel(referenceId);
    for (const status of ['processing', 'completed']) {
      expect(await bench.update(referenceId, { status })).toMatchObject({
        failures: [{ code: 'INVALID_TRANSITION' }],
      });
    }
    expect(await stored(referenceId)).toMatchObject({ status: 'cancelled', version: 2 });
  });

  test('is possible while the user is blocked', async () => {
    const referenceId = await create();
    await bench.block(`u-${referenceId}`);
    expect(await cancel(referenceId)).toMatchObject({ value: { status: 'cancelled' } });
  });

  test('replaces the number of the card by its token', async () => {
    const referenceId = newReference();
    const { requestData } = JSON.parse(bodyOf(referenceId));
    const card = { number: '4111111111111111', expirationDate: '1230' };
    const withCard = { ...requestData, payoutMethod: 'card', card };
    bench.deps.tenants.routes = async () => [
      {
        sourceCountry: 'US',
        destinationCountry: 'MX',
        destinationCurrency: 'MXN',
        payoutType: 'card',
        payerCode: null,
      },
    ];
    await bench.create(bodyOf(referenceId, { requestData: withCard }));
    await cancel(referenceId);
    expect((await stored(referenceId))?.requestData.card).toEqual({
      number: expect.stringMatching(/^tok_\w+1111$/),
    });
  });

  test('does not find an unknown reference, nor one that cannot be a reference', async () => {
    for (const referenceId of ['nothing1', '', '\0', 'a'.repeat(10_000)]) {
      expect(await cancel(referenceId)).toMatchObject({ failures: [{ code: 'REQUEST_MONEY_NOT_FOUND' }] });
    }
  });

  test('checks the feature first, then the body, then the reference', async () => {
    const other = { ...principal, accountId: 'globex/sandbox' as const };
    expect(await cancel('nothing1', [], other)).toMatchObject({
      failures: [{ code: 'API_FEATURE_NOT_ENABLED' }],
    });
    expect(await cancel('nothing1', [])).toMatchObject({ failures: [{ code: 'VALIDATION_FAILED' }] });
  });

  test('100 times at once moves the request once, and every call gets the same answer', async () => {
    const referenceId = await create();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => cancel(referenceId, { reason: `Reason ${index}` })),
    );
    const [first] = answers;
    expect(first).toMatchObject({ ok: true, value: { status: 'cancelled', version: 2 } });
    expect(answers).toEqual(answers.map(() => first));
    expect(bench.sent()).toEqual(['operation_updated', 'operation.cancelled']);
    expect(bench.events).toHaveLength(1);
  });

  test.each(['processing', 'completed', 'rejected'])(
    'at the same time as a move to %s: one of them moves the money request, the other fails',
    async (status) => {
      for (let round = 0; round < 5; round += 1) {
        const referenceId = await create();
        const [cancelled, updated] = await Promise.all([
          cancel(referenceId),
          bench.update(referenceId, { status }),
        ]);
        const moved = await stored(referenceId);
        expect(moved).toMatchObject({ status: cancelled.ok ? 'cancelled' : status, version: 2 });
        expect(updated.ok).toBe(!cancelled.ok);
        expect(moved?.operationId === undefined).toBe(cancelled.ok || status === 'rejected');
        expect(bench.events.filter(({ entity }) => entity === 'requestMoney')).toHaveLength(1);
      }
    },
  );

  test('at the same time as its expiry moves it once', async () => {
    const log = pino({ level: 'silent' });
    for (let round = 0; round < 5; round += 1) {
      bench.now = START;
      const referenceId = await create({ expiresInMinutes: 1 });
      bench.now = new Date(START.getTime() + 60_000);
      const expire = expireDueMoneyRequests({ ...bench.deps, log }, new AbortController().signal);
      const [cancelled] = await Promise.all([cancel(referenceId), expire]);
      const moved = await stored(referenceId);
      expect(cancelled).toEqual({ ok: true, value: moved });
      expect(moved).toMatchObject({ status: 'cancelled', version: 2 });
      expect(['CancelledByPartner', 'Expired']).toContain(moved?.statusDetails);
      expect(bench.events.map(({ statusDetails }) => statusDetails)).toEqual([moved?.statusDetails]);
    }
  });
});
