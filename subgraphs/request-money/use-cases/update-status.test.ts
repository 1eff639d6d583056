import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { readStatusUpdate } from '../commands/update-status.ts';
import { bodyOf, newReference, START, useBench } from '../testing.ts';
import { expireDueMoneyRequests } from './expire-money-requests.ts';

const bench = useBench();

describe('status updates', () => {
  test('processing makes the fulfilling operation, completed moves it on', async () => {
    const referenceId = newReference();
    await bench.create(bodyOf(referenceId));
    bench.forget();
    const processing = await bench.update(referenceId, {
      status: 'processing',
      operationId: `op-${referenceId}`,
    });
    expect(processing).toMatchObject({
      ok: true,
      value: { operationId: `op-${referenceId}`, statusDetails: 'PaymentInProgress' },
    });
    expect(bench.sent()).toEqual(['operation_updated', 'operation.processing']);
    expect(Object.keys(bench.dataOf('operation_updated'))).toEqual([
      'partnerId',
      'referenceId',
      'id',
      'requestId',
      'operationId',
      'userReferenceId',
      'amount',
      'currency',
      'status',
      'previousStatus',
      'statusDetails',
      'createdAt',
      'updatedAt',
    ]);
    await bench.update(referenceId, { status: 'completed' });
    const operation = await bench.database.connection
      .collection('operations')
      .findOne({ operationId: `op-${referenceId}` });
    expect(operation).toMatchObject({
      status: 'Completed',
      version: 3,
      recipientReferenceId: `u-${referenceId}`,
      exchangeRate: '20',
      senderCurrency: 'USD',
    });
    expect(bench.events.filter(({ entity }) => entity === 'operation').map(({ status }) => status)).toEqual([
      'Funding',
      'Funded',
      'Completed',
    ]);
  });

  test('the same status and details again change nothing and send no event', async () => {
    const referenceId = newReference();
    await bench.create(bodyOf(referenceId));
    const first = await bench.update(referenceId, { status: 'rejected', statusDetails: 'NoMoney' });
    bench.forget();
    expect(await bench.update(referenceId, { status: 'rejected', statusDetails: 'NoMoney' })).toEqual(first);
    expect(bench.sent()).toEqual([]);
  });

  test.each([
    ['an illegal move', { status: 'pending', statusDetails: 'Again' }, 'INVALID_TRANSITION', 409],
    ['an unknown status', { status: 'paid' }, 'VALIDATION_FAILED', 422],
    ['another operation', { status: 'completed', operationId: 'other' }, 'VALIDATION_FAILED', 422],
  ])('%s fails, with its event', async (_name, changes, code, httpStatus) => {
    const referenceId = newReference();
    await bench.create(bodyOf(referenceId));
    await bench.update(referenceId, { status: 'processing' });
    bench.forget();
    expect(await bench.update(referenceId, changes)).toMatchObject({ ok: false, failures: [{ code }] });
    expect(bench.sent()).toEqual(['operation_error']);
    expect(bench.deliveries).toMatchObject([{ about: `RequestMoney:${referenceId}` }]);
    expect(bench.dataOf('operation_error')).toMatchObject({
      stage: 'status_update',
      referenceId,
      code,
      httpStatus,
    });
  });

  test('an unknown money request has an event, an unknown partner cannot have one', async () => {
    expect(await bench.update('nothing1', { status: 'completed' })).toMatchObject({
      failures: [{ code: 'REQUEST_MONEY_NOT_FOUND' }],
    });
    expect(bench.sent()).toEqual(['operation_error']);
    bench.forget();
    const unknown = { partnerId: 'nobody', referenceId: 'nothing1', status: 'completed' };
    expect(await bench.service.updateStatus(readStatusUpdate(unknown))).toMatchObject({
      failures: [{ code: 'REQUEST_MONEY_NOT_FOUND' }],
    });
    expect(bench.sent()).toEqual([]);
  });

  test.each([
    ['is ambiguous, without an event', { status: 'completed' }, 'AMBIGUOUS_ENVIRONMENT', []],
    [
      'with an unknown status fails, with its event',
      { status: 'paid' },
      'VALIDATION_FAILED',
      ['acme/sandbox'],
    ],
  ])('an update of a reference of both environments %s', async (_name, changes, code, receivers) => {
    const referenceId = newReference();
    await bench.create(bodyOf(referenceId));
    bench.forget();
    bench.deps.moneyRequests.having = async () => ['acme/live', 'acme/sandbox'];
    expect(await bench.update(referenceId, changes)).toMatchObject({ ok: false, failures: [{ code }] });
    expect(bench.deliveries.map(({ accountId }) => accountId)).toEqual(receivers);
    expect(await bench.deps.moneyRequests.find('acme/sandbox', referenceId)).toMatchObject({ version: 1 });
  });

  test('an operation id that belongs to something else fails, and nothing moves', async () => {
    const [first, second] = [newReference(), newReference()];
    await bench.create(bodyOf(first));
    await bench.create(bodyOf(second));
    await bench.update(first, { status: 'processing', operationId: `op-${first}` });
    expect(await bench.update(second, { status: 'processing', operationId: `op-${first}` })).toMatchObject({
      failures: [{ path: ['operationId'] }],
    });
    expect(await bench.deps.moneyRequests.find('acme/sandbox', second)).toMatchObject({
      status: 'pending',
      version: 1,
    });
  });

  test('two updates at once: one moves the money request, the other finds it moved', async () => {
    const referenceId = newReference();
    await bench.create(bodyOf(referenceId));
    const outcomes = await Promise.all([
      bench.update(referenceId, { status: 'completed' }),
      bench.update(referenceId, { status: 'cancelled' }),
    ]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await bench.deps.moneyRequests.find('acme/sandbox', referenceId)).toMatchObject({ version: 2 });
  });
});

describe('the fulfilling operation', () => {
  const operationOf = (operationId: string | undefined) =>
    bench.database.connection
      .collection('operations')
      .findOne({ accountId: 'acme/sandbox' as const, operationId });
  const setOperation = (operationId: string | undefined, status: string) =>
    bench.database.connection.collection('operations').updateOne({ operationId }, { $set: { status } });

  async function processing(): Promise<{ referenceId: string; operationId: string }> {
    const referenceId = newReference();
    const operationId = `op-${referenceId}`;
    await bench.create(bodyOf(referenceId));
    await bench.update(referenceId, { status: 'processing', operationId });
    bench.forget();
    return { referenceId, operationId };
  }

  test.each(
    ['Funding', 'Funded', 'InTransit', 'ReadyForPickup', 'OnHold'].flatMap((from) =>
      (
        [
          ['completed', 'Completed'],
          ['rejected', 'Rejected'],
          ['cancelled', 'Cancelled'],
        ] as const
      ).map(([end, to]) => [from, end, to] as const),
    ),
  )('at %s goes with its money request to an end: %s, %s', async (from, end, to) => {
    const { referenceId, operationId } = await processing();
    await setOperation(operationId, from);
    expect(await bench.update(referenceId, { status: end })).toMatchObject({ ok: true });
    expect(await operationOf(operationId)).toMatchObject({ status: to });
    expect(await bench.deps.moneyRequests.find('acme/sandbox', referenceId)).toMatchObject({ status: end });
  });

  test('that has ended otherwise keeps its money request from ending', async () => {
    const { referenceId, operationId } = await processing();
    await setOperation(operationId, 'Failed');
    for (const status of ['completed', 'cancelled']) {
      expect(await bench.update(referenceId, { status })).toMatchObject({
        failures: [{ code: 'INVALID_TRANSITION' }],
      });
    }
    expect(await bench.deps.moneyRequests.find('acme/sandbox', referenceId)).toMatchObject({
      status: 'processing',
      version: 2,
    });
    expect(await bench.update(referenceId, { status: 'rejected' })).toMatchObject({ ok: true });
    expect(await operationOf(operationId)).toMatchObject({ status: 'Failed', version: 1 });
  });

  test('stays where it is when its money request has other details', async () => {
    const { referenceId, operationId } = await processing();
    await setOperation(operationId, 'InTransit');
    expect(await bench.update(referenceId, { status: 'processing', statusDetails: 'Slow' })).toMatchObject({
      value: { statusDetails: 'Slow' },
    });
    expect(await operationOf(operationId)).toMatchObject({ status: 'InTransit', version: 1 });
  });
});

describe('a money request of a blocked user', () => {
  test.each([
    ['pending', 'processing'],
    ['pending', 'completed'],
    ['processing', 'completed'],
  ])('at %s does not go to %s, and the failure has its event', async (from, to) => {
    const referenceId = newReference();
    await bench.create(bodyOf(referenceId));
    if (from !== 'pending') {
      await bench.update(referenceId, { status: from });
    }
    await bench.block(`u-${referenceId}`);
    bench.forget();
    expect(await bench.update(referenceId, { status: to })).toMatchObject({
      failures: [{ code: 'USER_BLOCKED' }],
    });
    expect(bench.sent()).toEqual(['operation_error']);
    const failure = { referenceId, stage: 'status_update', httpStatus: 409, code: 'USER_BLOCKED' };
    expect(bench.dataOf('operation_error')).toMatchObject(failure);
    expect(await bench.deps.moneyRequests.find('acme/sandbox', referenceId)).toMatchObject({ status: from });
    expect(await bench.update(referenceId, { status: from })).toMatchObject({ ok: true });
  });

  test.each(['rejected', 'cancelled'])('goes to %s', async (status) => {
    const referenceId = newReference();
    await bench.create(bodyOf(referenceId));
    await bench.update(referenceId, { status: 'processing' });
    await bench.block(`u-${referenceId}`);
    expect(await bench.update(referenceId, { status })).toMatchObject({ ok: true, value: { status } });
  });
});

describe('expiry', () => {
  const log = pino({ level: 'silent' });
  const expireNow = () => expireDueMoneyRequests({ ...bench.deps, log }, new AbortController().signal);

  test('does not delay others when one cannot be cancelled', async () => {
    const [broken, unpaid] = [newReference(), newReference()];
    await bench.create(bodyOf(broken, { expiresInMinutes: 1 }));
    await bench.create(bodyOf(unpaid, { expiresInMinutes: 2 }));
    bench.now = new Date(START.getTime() + 120_000);
    const { moneyRequests } = bench.deps;
    const move: typeof moneyRequests.move = (moneyRequest, ...rest) => {
      if (moneyRequest.referenceId === broken) {
        throw new Error('broken');
      }
      moneyRequests.move(moneyRequest, ...rest);
    };
    const deps = { ...bench.deps, moneyRequests: { ...moneyRequests, move }, log };
    expect(await expireDueMoneyRequests(deps, new AbortController().signal)).toBe(1);
    expect(await moneyRequests.find('acme/sandbox', unpaid)).toMatchObject({ status: 'cancelled' });
    expect(await moneyRequests.find('acme/sandbox', broken)).toMatchObject({ status: 'pending' });
  });

  test('tries each of a batch that cannot be cancelled once, and continues after them', async () => {
    const unpaid = newReference();
    await bench.create(bodyOf(unpaid, { expiresInMinutes: 1 }));
    bench.now = new Date(START.getTime() + 60_000);
    const gone = Array.from({ length: 100 }, (_, index) => ({
      accountId: 'gone/sandbox' as const,
      referenceId: `gone${index}`,
    }));
    const due = [...gone, { accountId: 'acme/sandbox' as const, referenceId: unpaid }];
    const pages: number[] = [];
    const findExpired: typeof bench.deps.moneyRequests.findExpired = async (_at, { skip, limit }) => {
      pages.push(skip);
      return due.slice(skip, skip + limit);
    };
    const deps = { ...bench.deps, moneyRequests: { ...bench.deps.moneyRequests, findExpired }, log };
    expect(await expireDueMoneyRequests(deps, new AbortController().signal)).toBe(1);
    expect(pages).toEqual([0, 100]);
    expect(await bench.deps.moneyRequests.find('acme/sandbox', unpaid)).toMatchObject({
      status: 'cancelled',
    });
  });

  test('finds the oldest first, after those that it skips', async () => {
    const [second, first] = [newReference(), newReference()];
    // No other test of this file has these ends.
    await bench.create(bodyOf(second, { expiresInMinutes: 4 }));
    await bench.create(bodyOf(first, { expiresInMinutes: 3 }));
    const at = new Date(START.getTime() + 240_000);
    const { findExpired } = bench.deps.moneyRequests;
    const all = await findExpired({ at }, { skip: 0, limit: 1_000 });
    const found = [first, second].map((referenceId) => ({ accountId: 'acme/sandbox' as const, referenceId }));
    expect(all.slice(-2)).toEqual(found);
    expect(await findExpired({ at }, { skip: all.length - 2, limit: 1 })).toEqual(found.slice(0, 1));
  });

  test('cancels unpaid requests when their time is over, once, and leaves the rest', async () => {
    const [unpaid, paying, later] = [newReference(), newReference(), newReference()];
    await bench.create(bodyOf(unpaid, { expiresInMinutes: 1 }));
    await bench.create(bodyOf(paying, { expiresInMinutes: 1 }));
    await bench.create(bodyOf(later, { expiresInMinutes: 2 }));
    await bench.update(paying, { status: 'processing' });
    bench.forget();
    bench.now = new Date(START.getTime() + 60_000);
    await Promise.all([expireNow(), expireNow()]);
    expect(await bench.deps.moneyRequests.find('acme/sandbox', unpaid)).toMatchObject({
      status: 'cancelled',
      statusDetails: 'Expired',
    });
    expect(await bench.deps.moneyRequests.find('acme/sandbox', paying)).toMatchObject({
      status: 'processing',
    });
    expect(await bench.deps.moneyRequests.find('acme/sandbox', later)).toMatchObject({ status: 'pending' });
    expect(
      bench.deliveries.filter(({ body }) => String(body).includes(unpaid)).map(({ event }) => event),
    ).toEqual(['operation_updated', 'operation.cancelled']);
  });
});
