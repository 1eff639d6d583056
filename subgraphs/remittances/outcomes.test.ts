import { describe, expect, test } from '@jest/globals';
import type { AccountId } from '../kernel/account.ts';
import { toBuffer } from '../kernel/binary.ts';
import type { ErrorCode } from '../kernel/errors/catalogue.ts';
import { signedHeaders } from '../webhooks/sign.ts';
import type { RemittanceDocument } from './store/model.ts';
import { acme, bodyOf, CARD, CASH, recordIdentityChecks, START, usePipelineBench } from './testing.ts';
import { toOutcome } from './use-cases/partner-events.ts';

// Many steps on a database that is not the test's alone.

const bench = usePipelineBench();

const PASSED = ['CIP', 'CONTACT', 'PAYMENT_METHOD', 'REQUEST_MONEY'];
/** The phases that call a provider: each has a transaction of its own, with the phases behind it that call none. */
const CALLING = ['CIP', 'PAYMENT_METHOD', 'REQUEST_MONEY'];
const acceptedMoves = (until: string) =>
  PASSED.slice(0, PASSED.indexOf(until) + 1).map(
    (phase, index) =>
      `${index + 1} remittance.${index === 0 ? 'accepted' : 'phase_changed'} IN_PROGRESS ${phase}`,
  );

describe('a remittance that succeeds', () => {
  test.each([
    ['to an account', undefined],
    ['to a card', CARD],
    ['in cash', CASH],
  ])('%s: four phases, one operation, one outcome', async (_how, method) => {
    const pipeline = bench.start();
    const { correlationId, userId } = await bench.accept(pipeline, bodyOf(method && { method }));
    await bench.run(pipeline);
    expect(await bench.stored(correlationId)).toMatchObject({
      status: 'SUCCEEDED',
      phase: 'REQUEST_MONEY',
      version: 5,
      attempts: 0,
    });
    expect(await bench.moves(correlationId)).toEqual([
      ...acceptedMoves('REQUEST_MONEY'),
      '5 remittance.succeeded SUCCEEDED REQUEST_MONEY',
    ]);
    expect(await bench.outcomes(correlationId)).toEqual([
      `{"eventType":"request_money_full_outcome","status":"Accepted","reason":"Request created","phase":"REQUEST_MONEY","correlationId":"${correlationId}","operationId":"${correlationId}","userId":"${userId}","timestamp":"${START.toISOString()}"}`,
    ]);
    expect(await bench.count('operations', { operationId: correlationId })).toBe(1);
    expect(await bench.count('contacts')).toBe(1);
    expect(await bench.count('paymentMethods')).toBe(1);
    expect(pipeline.steps()).toMatchObject({
      advanced: 4,
      succeeded: 1,
      failed: 0,
      retried: 0,
    });
  });

  test('the operation has the quote, the reason and the link of the call', async () => {
    const pipeline = bench.start();
    const { correlationId } = await bench.accept(pipeline, bodyOf({ request: { reason: 'Rent' } }));
    await bench.run(pipeline);
    const operation = await bench.database.connection
      .collection('operations')
      .findOne({ operationId: correlationId });
    expect(operation).toMatchObject({
      status: 'Sent',
      recipientAmount: '1500.5',
      senderAmount: '82.22',
      senderCurrency: 'USD',
      attributionLink: `https://acme.test/t/${correlationId}`,
    });
    const sealed = toBuffer(operation?.reason);
    expect(bench.deps.box.open(sealed, `acme/sandbox|reason|${operation?._id}`).toString()).toBe('Rent');
  });

  test('goes to the hook under the shared secret, by the scheme of outcomes', async () => {
    const pipeline = bench.start();
    await bench.accept(pipeline);
    await bench.run(pipeline);
    expect(await bench.deliveries()).toMatchObject([
      {
        scheme: 'outcome',
        url: acme.operationStatusHook,
        secret: acme.sharedSecret,
        accountId: 'acme/sandbox',
      },
    ]);
  });

  test('sends no outcome where there is no hook', async () => {
    const { operationStatusHook: _, ...hookless } = acme;
    bench.tenants.set('acme/sandbox', hookless);
    const pipeline = bench.start();
    const { correlationId } = await bench.accept(pipeline);
    await bench.run(pipeline);
    expect(await bench.stored(correlationId)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await bench.deliveries()).toEqual([]);
  });
});

test('the outcome of the worked example, and its signature', () => {
  const remittance = {
    accountId: 'acme/sandbox' as AccountId,
    correlationId: 'corr-1',
    userId: 'u1',
    phase: 'REQUEST_MONEY',
    updatedAt: START,
  } as RemittanceDocument;
  const delivery = toOutcome(acme, remittance);
  expect(delivery?.body).toBe(
    '{"eventType":"request_money_full_outcome","status":"Accepted","reason":"Request created","phase":"REQUEST_MONEY","correlationId":"corr-1","operationId":"corr-1","userId":"u1","timestamp":"2026-11-21T08:00:00.000Z"}',
  );
  const { formerSecrets, ...signed } = delivery as NonNullable<typeof delivery>;
  expect(formerSecrets).toBeUndefined();
  const body = Buffer.from(String(delivery?.body));
  const headers = signedHeaders({ ...signed, deliveryId: 'd1', body, at: 0 });
  expect(headers).toEqual({
    'Content-Type': 'application/json',
    'User-Agent': expect.stringMatching(/^remitgraph\/\d/),
    'X-Webhook-Delivery-Id': 'd1',
    'x-raas-signature': 'SLp1ijuqpIYsGSeCZuNy80M55YAZ3I7SFmeoK548JIM=',
  });
});

describe('failures in the worker', () => {
  const card = (number: string) => ({ method: { ...CARD, number } });
  test.each<[ErrorCode, string, Parameters<typeof bodyOf>[0]]>([
    ['ERROR_CIP_NOT_COMPLETED', 'CIP', { requester: { lastName: 'CIPFAIL' } }],
    ['ERROR_CIP_NOT_COMPLETED', 'CIP', { requester: { lastName: 'OFACHIT' } }],
    ['ERROR_CIP_NOT_FOUND', 'CIP', { requester: { lastName: 'CIPNOTFOUND' } }],
    ['ERROR_MUST_PERFORM_LEVEL_ONE_FIRST', 'CIP', { requester: { lastName: 'CIPLEVELONE' } }],
    ['ERROR_SUBSCRIBER_NOT_FOUND', 'CIP', { requester: { lastName: 'SUBSCRIBERNOTFOUND' } }],
    ['CARD_VERIFICATION_ERROR', 'PAYMENT_METHOD', card('4000000000000002')],
    [
      'ERROR_ERROR_ADD_SOURCE_UBN_ERROR',
      'PAYMENT_METHOD',
      { method: { type: 'UBN', number: '000000000000000002', country: 'MX', currency: 'MXN' } },
    ],
    ['ERROR_CONTACT_NOT_FOUND', 'REQUEST_MONEY', { requestTo: { lastName: 'CONTACTNOTFOUND' } }],
    ['ERROR_INVALID_OPERATION', 'REQUEST_MONEY', { requestTo: { lastName: 'OPERATIONINVALID' } }],
    ['ERROR_OPERATION_NOT_FOUND', 'REQUEST_MONEY', { requestTo: { lastName: 'OPERATIONNOTFOUND' } }],
    ['ERROR_OPERATION_ALREADY_COMPLETED', 'REQUEST_MONEY', { requestTo: { lastName: 'OPERATIONCOMPLETED' } }],
  ])('%s in %s', async (code, phase, changes) => {
    const pipeline = bench.start();
    const { correlationId, userId } = await bench.accept(pipeline, bodyOf(changes));
    await bench.run(pipeline);
    const stored = await bench.stored(correlationId);
    expect(stored).toMatchObject({ status: 'FAILED', phase, attempts: 1, lastError: { code } });
    expect(stored).not.toHaveProperty('private');
    const moves = acceptedMoves(phase);
    expect(await bench.moves(correlationId)).toEqual([
      ...moves,
      `${moves.length + 1} remittance.failed FAILED ${phase}`,
    ]);
    expect(await bench.outcomes(correlationId)).toEqual([
      JSON.stringify({
        eventType: 'request_money_full_outcome',
        status: 'Failed',
        errorCode: code,
        reason: stored.lastError?.message,
        phase,
        correlationId,
        operationId: correlationId,
        userId,
        timestamp: START.toISOString(),
      }),
    ]);
    expect(await bench.count('operations')).toBe(0);
    expect(pipeline.steps()).toMatchObject({ failed: 1, succeeded: 0, retried: 0 });
  });

  test.each([
    ['Ruiz', 'verified'],
    ['CIPFAIL', 'failed'],
    ['CIPNOTFOUND', 'pending'],
  ])('an identity check updates the user: %s %s', async (lastName, cipStatus) => {
    const pipeline = bench.start();
    const { userId } = await bench.accept(pipeline, bodyOf({ requester: { lastName } }));
    await bench.run(pipeline);
    expect(
      await bench.database.connection.collection('users').findOne({ _id: userId as never }),
    ).toMatchObject({
      cipStatus,
    });
  });

  test.each(CALLING)('a user who was blocked before %s', async (phase) => {
    const { transaction } = bench.deps;
    let committed = 0;
    const pipeline = bench.start({
      transaction: async (work, turn) => {
        const result = await transaction(work, turn);
        committed += 1;
        // The first one is the acceptance.
        if (committed === CALLING.indexOf(phase) + 1) {
          await blockAll();
        }
        return result;
      },
    });
    const { correlationId } = await bench.accept(pipeline);
    await bench.run(pipeline);
    expect(await bench.stored(correlationId)).toMatchObject({
      status: 'FAILED',
      phase,
      lastError: { code: 'ERROR_INVALID_OPERATION' },
    });
    expect(await bench.outcomes(correlationId)).toHaveLength(1);
  });

  const blockAll = () =>
    bench.database.connection.collection('users').updateMany({}, { $set: { blocked: true } });

  test('a user who was blocked before the call: no provider is called', async () => {
    const { checked, providers } = recordIdentityChecks(bench.deps.providers);
    const pipeline = bench.start({ providers });
    const requester = { phoneNumber: '+525512345678' };
    const first = await bench.accept(pipeline, bodyOf({ requester }));
    await bench.run(pipeline);
    await blockAll();
    const { correlationId, userId } = await bench.accept(pipeline, bodyOf({ requester }));
    await bench.run(pipeline);
    expect(userId).toBe(first.userId);
    expect(await bench.stored(correlationId)).toMatchObject({ status: 'FAILED', phase: 'CIP' });
    expect(checked).toEqual([`acme/sandbox:${first.correlationId}:CIP`]);
  });

  /** A pipeline whose users are blocked at the phase, while its transaction is under way; what it logs. */
  function startBlockingAt(phase: string) {
    let isDone = false;
    const warnings: object[] = [];
    const { users, operations } = bench.deps;
    const blocking =
      <Args extends unknown[], Value>(at: string, save: (...args: Args) => Promise<Value>) =>
      async (...args: Args): Promise<Value> => {
        const value = await save(...args);
        if (at === phase && !isDone) {
          isDone = true;
          await blockAll();
        }
        return value;
      };
    const pipeline = bench.start({
      users: {
        ...users,
        recordIdentityCheck: blocking('CIP', users.recordIdentityCheck),
        keepContact: blocking('CONTACT', users.keepContact),
        keepPaymentMethod: blocking('PAYMENT_METHOD', users.keepPaymentMethod),
      },
      operations: { ...operations, request: blocking('REQUEST_MONEY', operations.request) },
      log: { ...bench.deps.log, warn: (line: object) => void warnings.push(line) },
    });
    return { pipeline, warnings };
  }

  test.each([
    ['CIP', 'CIP'],
    // Saved with the phase before it: neither is.
    ['CONTACT', 'CIP'],
    ['PAYMENT_METHOD', 'PAYMENT_METHOD'],
    ['REQUEST_MONEY', 'REQUEST_MONEY'],
  ])(
    'a user who is blocked while %s is under way: nothing of its transaction is written, and it fails in %s',
    async (underWay, phase) => {
      const { pipeline, warnings } = startBlockingAt(underWay);
      const { correlationId, userId } = await bench.accept(pipeline);
      await bench.run(pipeline);
      expect(await bench.stored(correlationId)).toMatchObject({
        status: 'FAILED',
        phase,
        lastError: {
          code: 'ERROR_INVALID_OPERATION',
          message: expect.stringMatching(/^The user is blocked\./),
        },
      });
      const done = PASSED.slice(0, PASSED.indexOf(phase));
      expect([
        await bench.count('users', { _id: userId, cipStatus: 'verified' }),
        await bench.count('contacts'),
        await bench.count('paymentMethods'),
        await bench.count('operations'),
      ]).toEqual(PASSED.map((one) => (done.includes(one) ? 1 : 0)));
      expect(await bench.moves(correlationId)).toEqual([
        ...acceptedMoves(phase),
        `${done.length + 2} remittance.failed FAILED ${phase}`,
      ]);
      expect((await bench.outcomes(correlationId)).map((text) => JSON.parse(text))).toMatchObject([
        { status: 'Failed', errorCode: 'ERROR_INVALID_OPERATION', phase },
      ]);
      const idempotencyKey = `acme/sandbox:${correlationId}:${phase}`;
      expect(warnings[0]).toMatchObject({ correlationId, phase, answer: 'accepted', idempotencyKey });
    },
  );

  test('a user who is blocked while a provider rejects: it fails because of the block, and the answer is logged', async () => {
    const { pipeline, warnings } = startBlockingAt('CIP');
    const body = bodyOf({ requester: { lastName: 'CIPFAIL' } });
    const { correlationId, userId } = await bench.accept(pipeline, body);
    await bench.run(pipeline);
    expect(await bench.stored(correlationId)).toMatchObject({
      status: 'FAILED',
      lastError: { code: 'ERROR_INVALID_OPERATION' },
    });
    expect(await bench.count('users', { _id: userId, cipStatus: 'pending' })).toBe(1);
    expect(warnings).toMatchObject([{ correlationId, phase: 'CIP', answer: 'ERROR_CIP_NOT_COMPLETED' }]);
  });
});
