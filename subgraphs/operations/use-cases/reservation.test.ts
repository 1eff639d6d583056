import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { isDuplicateKey } from '../../kernel/database/transaction.ts';
import { readRequestMoneyV2 } from '../commands/request-money-v2.ts';
import { ACCOUNT, bodyOf, CARD, newCorrelationId, priceOf, principal, START, useBench } from '../testing.ts';
import { followWaiting, type ScriptedFunding, scriptFunding, TIMED_OUT } from '../testing-funding.ts';
import { fulfil } from './fulfil-money-request.ts';
import { requestMoneyV2 } from './request-money-v2.ts';

const USED = {
  ok: false,
  failures: [{ code: 'ERROR_CORRELATION_ID_ALREADY_USED', path: ['correlationId'] }],
};
const AWAY = { ok: false, failures: [{ code: 'ERROR_INTERNAL_SERVER_ERROR' }] };
const BLOCKED = { ok: false, failures: [{ code: 'ERROR_INVALID_OPERATION' }] };

const bench = useBench();
let userId: string;
let funding: ScriptedFunding;

beforeEach(async () => {
  userId = await bench.newUser();
  funding = scriptFunding(bench);
});

const countOperations = (operationId: string) => bench.models.operations.countDocuments({ operationId });

test('while the clock of the machine is wrong, a request reserves nothing, and no provider is called', async () => {
  const correlationId = newCorrelationId();
  const command = readRequestMoneyV2(bodyOf({ correlationId }));
  const deps = { ...bench.deps, isClockRight: () => false };
  expect(await requestMoneyV2(deps, principal, { userId, command })).toMatchObject({
    ok: false,
    failures: [{ code: 'SERVICE_UNAVAILABLE' }],
  });
  expect(
    await bench.deps.reservations.find({ accountId: 'acme/sandbox', operationId: correlationId }),
  ).toBeUndefined();
  expect(funding.called).toEqual([]);
  expect(await bench.request(userId, { correlationId })).toMatchObject({ ok: true });
  expect(funding.called).toHaveLength(1);
});

describe('one correlation id, one payer', () => {
  test('when requests with one id go to several payers at once, only one payer gets a request for money', async () => {
    const correlationId = newCorrelationId();
    const payers = ['+13125550181', '+13125550182', '+13125550183', '+13125550184'];
    const results = await Promise.all(
      payers.map((requestTo) => bench.request(userId, { correlationId, requestTo })),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.filter(({ ok }) => !ok)).toMatchObject([USED, USED, USED]);
    expect(funding.called).toHaveLength(1);
    expect(await countOperations(correlationId)).toBe(1);
  });

  test.each<[string, Record<string, unknown>]>([
    ['another payer', { requestTo: '+13125550189' }],
    ['another amount', { recipientAmount: 1825.01 }],
    ['another account', { destinationPaymentMethod: { ...ACCOUNT, number: '032180000118359718' } }],
    ['a card', { destinationPaymentMethod: CARD }],
    ['another reason', { reason: 'Rent' }],
  ])('after a time-out, %s is another request, and no provider is called', async (_name, changes) => {
    const correlationId = newCorrelationId();
    funding.answers.push(TIMED_OUT);
    expect(await bench.request(userId, { correlationId })).toMatchObject(AWAY);
    bench.calls.length = 0;
    expect(await bench.request(userId, { correlationId, ...changes })).toMatchObject(USED);
    expect([funding.called.length, bench.calls.length]).toEqual([1, 0]);
    expect(await countOperations(correlationId)).toBe(0);
    expect(await bench.request(userId, { correlationId })).toMatchObject({ ok: true });
    expect(new Set(funding.called.map(({ key }) => key)).size).toBe(1);
    expect(funding.called.map(({ body }) => body.payer.phoneNumber)).toEqual([
      '+13125550188',
      '+13125550188',
    ]);
  });

  test('after a time-out, another user is another request', async () => {
    const correlationId = newCorrelationId();
    funding.answers.push(TIMED_OUT);
    const body = bodyOf({ correlationId });
    await bench.send(principal, userId, body);
    expect(await bench.request(await bench.newUser(), { correlationId })).toMatchObject(USED);
    expect(funding.called).toHaveLength(1);
  });

  test('other requests have other provider keys', async () => {
    for (const changes of [{}, {}, { recipientAmount: 5 }, { destinationPaymentMethod: CARD }]) {
      await bench.request(userId, changes);
    }
    const digests = funding.called.map(({ key }) => key.split(':')[2]);
    expect([digests[1] === digests[0], new Set(digests).size]).toEqual([true, 3]);
  });
});

describe('a user who is blocked', () => {
  test('before the id is reserved, reserves none and calls no provider', async () => {
    const correlationId = newCorrelationId();
    const { accountState } = bench.deps.users;
    bench.deps.users.accountState = async (accountId, id, unit) => {
      const user = await accountState(accountId, id, unit);
      return user && { ...user, blocked: unit !== undefined };
    };
    expect(await bench.request(userId, { correlationId })).toMatchObject(BLOCKED);
    expect([funding.called.length, bench.calls.length]).toEqual([0, 0]);
    bench.deps.users.accountState = accountState;
    expect(await bench.request(userId, { correlationId, recipientAmount: 5 })).toMatchObject({ ok: true });
  });

  test('after the operation was created, has no warning of a payer who may have been asked', async () => {
    const correlationId = newCorrelationId();
    funding.answers.push(TIMED_OUT);
    await bench.request(userId, { correlationId });
    expect(await bench.request(userId, { correlationId })).toMatchObject({ ok: true });
    const users = bench.database.connection.collection<{ _id: string }>('users');
    await users.updateOne({ _id: userId }, { $set: { blocked: true } });
    expect(await bench.request(userId, { correlationId })).toMatchObject({
      failures: [{ code: 'ERROR_INVALID_OPERATION', message: expect.not.stringContaining('payer') }],
    });
  });

  test('while the payer is asked, gets no operation, and the request is withdrawn', async () => {
    const correlationId = newCorrelationId();
    const answer = funding.hold();
    const running = bench.request(userId, { correlationId });
    await funding.untilCalled(1);
    const users = bench.database.connection.collection<{ _id: string }>('users');
    await users.updateOne({ _id: userId }, { $set: { blocked: true } });
    answer({ kind: 'accepted' });
    const reported = { failures: [{ message: expect.stringContaining('The payer may have been asked') }] };
    expect(await running).toMatchObject({ ...BLOCKED, ...reported });
    expect(await bench.request(userId, { correlationId })).toMatchObject({ ...BLOCKED, ...reported });
    await users.updateOne({ _id: userId }, { $set: { blocked: false } });
    // The payer is not asked again, whichever worker continues.
    expect(await bench.request(userId, { correlationId })).toMatchObject({ ...BLOCKED, ...reported });
    expect([await countOperations(correlationId), funding.called.length]).toEqual([0, 1]);
    expect(await bench.models.reservations.findById(`acme/sandbox|${correlationId}`).lean()).toMatchObject({
      status: 'IN_PROGRESS',
      isOpen: true,
      payerMayHaveBeenAsked: true,
      withdrawal: { status: 'PENDING' },
      nextAttemptAt: bench.now,
    });
  });
});

describe('an id that is reserved', () => {
  test('is not made for an atomic call, nor for an operation of document 2', async () => {
    const correlationId = newCorrelationId();
    funding.answers.push(TIMED_OUT);
    await bench.request(userId, { correlationId });
    const { operationIds, transaction } = bench.deps;
    const accepted = transaction((unit) =>
      operationIds.reserve({ accountId: 'acme/sandbox', operationId: correlationId }, unit),
    );
    await expect(accepted.catch((error: unknown) => isDuplicateKey(error))).resolves.toBe(true);
    const fulfilment = {
      accountId: 'acme/sandbox',
      operationId: correlationId,
      countries: { sourceCountry: 'US', destinationCountry: 'MX' },
      requestReferenceId: 'AB12cd34',
      recipientReferenceId: 'u-1',
      userId,
      quote: priceOf('5'),
      status: 'Funding',
      statusDetails: 'Funding',
      at: START,
    } as const;
    expect(await transaction((unit) => fulfil(bench.deps, fulfilment, unit))).toMatchObject({
      failures: [{ code: 'VALIDATION_FAILED', path: ['operationId'] }],
    });
    expect(await bench.request(userId, { correlationId })).toMatchObject({ ok: true });
  });

  test('becomes an operation on hold by an update, which may go back', async () => {
    const correlationId = newCorrelationId();
    funding.answers.push(TIMED_OUT);
    await bench.request(userId, { correlationId });
    const held = { status: 'OnHold', heldFrom: 'Sent' };
    expect(await bench.update(correlationId, { status: 'OnHold' })).toMatchObject({ ok: true, value: held });
    expect(await bench.update(correlationId, { status: 'Sent' })).toMatchObject({ ok: true });
  });

  test('by an atomic call is used', async () => {
    const correlationId = newCorrelationId();
    const { operationIds, transaction } = bench.deps;
    await transaction((unit) =>
      operationIds.reserve({ accountId: 'acme/sandbox', operationId: correlationId }, unit),
    );
    expect(await bench.request(userId, { correlationId })).toMatchObject(USED);
    expect([funding.called.length, bench.calls.length]).toEqual([0, 0]);
  });

  test('has nothing personal in clear, and nothing at all once the operation is saved', async () => {
    const correlationId = newCorrelationId();
    const _id = `acme/sandbox|${correlationId}`;
    await bench.newContact(userId, { phoneNumber: '+13125550188', lastName: 'Quetzalhuatzin' });
    funding.answers.push(TIMED_OUT);
    const read = async () => bench.models.reservations.findById(_id).lean();
    await bench.request(userId, { correlationId, destinationPaymentMethod: CARD, reason: 'Rent' });
    const open = await read();
    expect(open?.terms).toBeDefined();
    const bytes = Buffer.from(mongo.BSON.serialize(open ?? {}));
    for (const personal of ['Quetzalhuatzin', '3125550188', '4111111111111111', 'Rent']) {
      expect(bytes.includes(personal)).toBe(false);
    }
    await bench.request(userId, { correlationId, destinationPaymentMethod: CARD, reason: 'Rent' });
    const ended = await read();
    expect(ended).toMatchObject({ status: 'SUCCEEDED', digest: open?.digest, payerMayHaveBeenAsked: true });
    for (const gone of ['terms', 'refusal', 'isOpen', 'isAsking', 'leaseToken']) {
      expect(ended).not.toHaveProperty(gone);
    }
  });

  test('has no card number at any time, even sealed', async () => {
    const correlationId = newCorrelationId();
    const changes = { correlationId, destinationPaymentMethod: CARD };
    const { providers, reservations } = bench.deps;
    const terms = async () => {
      const found = await reservations.find({ accountId: 'acme/sandbox', operationId: correlationId });
      return found && JSON.stringify(reservations.termsOf(found));
    };
    const away = { kind: 'unavailable', reason: 'Away.' } as const;
    bench.deps.providers = { ...providers, cards: { verify: async () => away } };
    expect(await bench.request(userId, changes)).toMatchObject(AWAY);
    expect(await terms()).not.toMatch(/4111|method/i);
    bench.deps.providers = { ...providers, funding: bench.deps.providers.funding };
    funding.answers.push(TIMED_OUT);
    expect(await bench.request(userId, changes)).toMatchObject(AWAY);
    expect(await terms()).toMatch(/"paymentMethodId":"pm_/);
    expect(await terms()).not.toContain('4111');
  });
});

describe('an earlier request that a failover of the database undoes after it was read', () => {
  const undoOperation = async (operationId: string) => {
    await bench.models.operations.deleteOne({ operationId });
    await bench.models.history.deleteMany({ operationId });
    await bench.database.connection.collection('events').deleteMany({ entityId: operationId });
  };
  const refused = { kind: 'rejected', code: 'ERROR_CONTACT_NOT_FOUND', reason: 'Nobody.' } as const;

  test.each([
    ['its success', undefined],
    ['its refusal', refused],
  ])('is made anew by its repeat, which does not get %s', async (_name, first) => {
    const correlationId = newCorrelationId();
    funding.answers.push(first ?? { kind: 'accepted' });
    await bench.request(userId, { correlationId });
    const { transaction } = bench.deps;
    const key = { operationId: correlationId };
    jest.spyOn(bench.deps, 'transaction').mockImplementationOnce(async (...args) => {
      await bench.models.reservations.deleteOne(key);
      const claims = bench.database.connection.collection<{ _id: string }>('uniqueValues');
      await claims.deleteOne({ _id: `acme/sandbox|operationId|${correlationId}` });
      await undoOperation(correlationId);
      return transaction(...args);
    });
    expect(await bench.request(userId, { correlationId })).toMatchObject({
      ok: true,
      value: { operationId: correlationId, status: 'Sent' },
    });
    expect(funding.called).toHaveLength(2);
    expect(await countOperations(correlationId)).toBe(1);
  });

  test('is not answered to an identical call that waits for it', async () => {
    const correlationId = newCorrelationId();
    const answer = funding.hold();
    const running = bench.request(userId, { correlationId });
    await funding.untilCalled(1);
    const { transaction } = bench.deps;
    let isUndone = false;
    const reading = jest.spyOn(bench.deps, 'transaction').mockImplementation(async (...args) => {
      const stored = await bench.models.reservations.findOne({ operationId: correlationId }).lean();
      if (stored?.status === 'SUCCEEDED' && !isUndone) {
        isUndone = true;
        const { leaseToken: _, isAsking: __, isOpen: ___, ...rest } = stored;
        await undoOperation(correlationId);
        await bench.models.reservations.collection.replaceOne(
          { _id: stored._id as never },
          { ...rest, terms: held?.terms, status: 'IN_PROGRESS', isOpen: true },
        );
      }
      return transaction(...args);
    });
    const held = await bench.models.reservations.findOne({ operationId: correlationId }).lean();
    const untilWaiting = followWaiting(bench);
    const waiting = bench.request(userId, { correlationId });
    await untilWaiting(1);
    answer({ kind: 'accepted' });
    await running;
    expect(await waiting).toMatchObject({ ok: true, value: { operationId: correlationId } });
    reading.mockRestore();
    expect(isUndone).toBe(true);
    // The waiting call has carried the request out itself, under the same key.
    expect(new Set(funding.called.map(({ key }) => key)).size).toBe(1);
    expect(funding.called).toHaveLength(2);
    expect(await countOperations(correlationId)).toBe(1);
  });
});
