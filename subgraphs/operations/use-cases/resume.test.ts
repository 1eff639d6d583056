import { beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import { readRequestMoneyV2 } from '../commands/request-money-v2.ts';
import { RequestMoneyV2PaymentMethodInput, toBody } from '../graphql/inputs.ts';
import { createOperationService } from '../service.ts';
import { CALL_LEASE_MS } from '../store/reservations.ts';
import { ACCOUNT, bodyOf, CARD, newCorrelationId, principal, START, useBench } from '../testing.ts';
import {
  followWaiting,
  holdCards,
  type ScriptedFunding,
  scriptFunding,
  TIMED_OUT,
} from '../testing-funding.ts';
import { createWithdrawalWorker } from '../withdrawal-worker.ts';
import { resumeReservation } from './request-money-v2/resume-reservation.ts';

const USED = {
  ok: false,
  failures: [{ code: 'ERROR_CORRELATION_ID_ALREADY_USED', path: ['correlationId'] }],
};
const AWAY = { ok: false, failures: [{ code: 'ERROR_INTERNAL_SERVER_ERROR' }] };

const bench = useBench();
let userId: string;
let funding: ScriptedFunding;

beforeEach(async () => {
  userId = await bench.newUser();
  funding = scriptFunding(bench);
});

const countOperations = (operationId: string) => bench.models.operations.countDocuments({ operationId });
const countMethods = () => bench.database.connection.collection('paymentMethods').countDocuments({ userId });

describe('the same request again', () => {
  test.each<[string, Record<string, unknown>]>([
    ['letter by letter', {}],
    ['with its payer in national form', { requestTo: '(312) 555-0188' }],
    [
      'with properties that do not count',
      { more: 1, destinationPaymentMethod: { nameOnCard: 'x', ...ACCOUNT } },
    ],
  ])('%s, finishes what a time-out left', async (_name, changes) => {
    const correlationId = newCorrelationId();
    funding.answers.push(TIMED_OUT);
    expect(await bench.request(userId, { correlationId })).toMatchObject(AWAY);
    const again = { correlationId, ...changes };
    expect(await bench.request(userId, again)).toMatchObject({ ok: true });
    expect(funding.called[1]).toEqual(funding.called[0]);
    expect(await bench.request(userId, again)).toMatchObject(USED);
    expect(funding.called).toHaveLength(2);
  });

  test('by GraphQL, its amount in other digits, finishes one that timed out by REST', async () => {
    const correlationId = newCorrelationId();
    funding.answers.push(TIMED_OUT);
    expect(await bench.request(userId, { correlationId, reason: 'Rent' })).toMatchObject(AWAY);
    const body = toBody({
      requestTo: '+13125550188',
      correlationId,
      recipientAmount: '1825.00',
      recipientCurrency: 'MXN',
      reason: 'Rent',
      destinationPaymentMethodId: null,
      destinationPaymentMethod: Object.assign(new RequestMoneyV2PaymentMethodInput(), {
        ...ACCOUNT,
        nameOnCard: null,
      }),
    });
    expect(await bench.send(principal, userId, body)).toMatchObject({ ok: true });
    expect(funding.called[1]).toEqual(funding.called[0]);
  });

  test('calls at the same price and by the same name, whatever has changed since', async () => {
    const contactId = await bench.newContact(userId, {
      phoneNumber: '+13125550188',
      firstName: 'Luis',
      lastName: 'Roe',
      countryCode: 'US',
    });
    const correlationId = newCorrelationId();
    funding.answers.push(TIMED_OUT);
    const changes = { correlationId, destinationPaymentMethod: CARD };
    expect(await bench.request(userId, changes)).toMatchObject(AWAY);
    await bench.newContact(userId, { phoneNumber: '+13125550188', lastName: 'Doe', countryCode: 'MX' });
    const { tenants } = bench.deps;
    const before = await tenants.find('acme/sandbox');
    tenants.find = async () => before && { ...before, dialCodes: ['+52'], fee: { fixed: '9', percent: '9' } };
    tenants.fxRate = async () => ({ rate: '20', isStale: false });
    tenants.routesBetween = async () => [];
    bench.now = new Date('2030-01-01T00:00:00.000Z');
    expect(await bench.request(userId, changes)).toMatchObject({
      ok: true,
      value: { contactId, amount: '103', exchangeRate: '18.25', createdAt: bench.now },
    });
    expect(funding.called[1]).toEqual(funding.called[0]);
    expect(funding.called[0]?.body).toMatchObject({ amount: '103', payer: { lastName: 'Roe' } });
  });

  test.each<[string, string | undefined]>([
    ['another contact has it', 'luis@x.test'],
    ['no contact has it', undefined],
  ])('goes on with its payer when it names an email and %s by now', async (_name, email) => {
    const contact = { phoneNumber: '+13125550188', firstName: 'Luis', lastName: 'Roe', countryCode: 'US' };
    const contactId = await bench.newContact(userId, { ...contact, email: 'luis@x.test' });
    const changes = { correlationId: newCorrelationId(), requestTo: 'luis@x.test' };
    funding.answers.push(TIMED_OUT);
    expect(await bench.request(userId, changes)).toMatchObject(AWAY);
    bench.now = new Date(bench.now.getTime() + 1_000);
    await bench.newContact(userId, { ...contact, email: 'other@x.test' });
    await bench.newContact(userId, { ...contact, phoneNumber: '+13125550199', ...(email && { email }) });
    expect(await bench.request(userId, changes)).toMatchObject({ ok: true, value: { contactId } });
    expect(funding.called[1]).toEqual(funding.called[0]);
  });

  test('at once with itself, in several processes, asks the payer once, and all get the same answer', async () => {
    const correlationId = newCorrelationId();
    const other = createOperationService({ ...bench.deps });
    const command = readRequestMoneyV2(bodyOf({ correlationId }));
    const answer = funding.hold();
    const running = Promise.all([
      bench.request(userId, { correlationId }),
      ...[1, 2, 3, 4].map(() => other.requestMoneyV2(principal, { userId, command })),
      ...[1, 2, 3, 4, 5].map(() => bench.request(userId, { correlationId })),
    ]);
    await funding.untilCalled(1);
    expect(await bench.request(userId, { correlationId, recipientAmount: 5 })).toMatchObject(USED);
    // Of the calls at once some may look for the request only after the first one has ended.
    bench.now = new Date(bench.now.getTime() + 1);
    answer({ kind: 'accepted' });
    const [first, ...others] = await running;
    expect(first).toMatchObject({ ok: true });
    expect(others).toEqual(others.map(() => first));
    expect(funding.called).toHaveLength(1);
    expect(await countOperations(correlationId)).toBe(1);
  });

  test.each([
    ['a lost answer', TIMED_OUT],
    ['a refusal', { kind: 'rejected', code: 'ERROR_CONTACT_NOT_FOUND', reason: 'Nobody.' } as const],
  ])('at once with itself, gets %s of the one call as the others do', async (_name, given) => {
    const correlationId = newCorrelationId();
    const answer = funding.hold();
    const untilWaiting = followWaiting(bench);
    const running = Promise.all(Array.from({ length: 5 }, () => bench.request(userId, { correlationId })));
    await funding.untilCalled(1);
    await untilWaiting(4);
    answer(given);
    const [first, ...others] = await running;
    expect(first).toMatchObject({ ok: false });
    expect(others).toEqual(others.map(() => first));
    expect(funding.called).toHaveLength(1);
  });

  test('at once with itself, after a lost answer, calls once, and all get the same answer', async () => {
    const correlationId = newCorrelationId();
    funding.answers.push(TIMED_OUT, TIMED_OUT);
    const lost = await bench.request(userId, { correlationId });
    // Each of them finds the reservation before one of them takes it.
    const { find } = bench.deps.reservations;
    let all: () => void = () => undefined;
    const haveFound = new Promise<void>((resolve) => {
      all = resolve;
    });
    let reads = 0;
    bench.deps.reservations.find = async (...of) => {
      const reservation = await find(...of);
      reads += 1;
      if (reads === 5) {
        all();
      }
      await haveFound;
      return reservation;
    };
    const again = Array.from({ length: 5 }, () => bench.request(userId, { correlationId }));
    expect(await Promise.all(again)).toEqual(again.map(() => lost));
    expect(funding.called).toHaveLength(2);
  });

  test('finishes the work of a process that died, and its late answer has no effect', async () => {
    const correlationId = newCorrelationId();
    const answer = funding.hold();
    const dying = bench.request(userId, { correlationId });
    await funding.untilCalled(1);
    bench.now = new Date(bench.now.getTime() + CALL_LEASE_MS);
    const next = createOperationService({ ...bench.deps });
    const body = bodyOf({ correlationId });
    expect(await next.requestMoneyV2(principal, { userId, command: readRequestMoneyV2(body) })).toMatchObject(
      { ok: true },
    );
    answer({ kind: 'accepted' });
    expect(await dying).toMatchObject({ ok: true });
    expect(funding.called[1]).toEqual(funding.called[0]);
    expect(await countOperations(correlationId)).toBe(1);
  });

  test('verifies the card again when the process died while it was verified', async () => {
    const changes = { correlationId: newCorrelationId(), destinationPaymentMethod: CARD };
    const cards = holdCards(bench);
    void bench.request(userId, changes);
    await cards.untilCalled(1);
    bench.now = new Date(bench.now.getTime() + CALL_LEASE_MS);
    const again = bench.request(userId, changes);
    await cards.untilCalled(2);
    cards.answerLast({ kind: 'rejected', code: 'CARD_VERIFICATION_ERROR', reason: 'Stolen.' });
    expect(await again).toMatchObject({ failures: [{ code: 'CARD_VERIFICATION_ERROR' }] });
    expect([funding.called.length, await countMethods()]).toEqual([0, 0]);
  });

  test('gets the refusal of its card again when the first one could not be saved', async () => {
    const changes = { correlationId: newCorrelationId(), destinationPaymentMethod: CARD };
    const refused = { kind: 'rejected', code: 'CARD_VERIFICATION_ERROR', reason: 'Stolen.' } as const;
    bench.deps.providers = { ...bench.deps.providers, cards: { verify: async () => refused } };
    const { sealRefusal } = bench.deps.reservations;
    bench.deps.reservations.sealRefusal = () => {
      bench.deps.reservations.sealRefusal = sealRefusal;
      throw new Error('The database is away.');
    };
    await expect(bench.request(userId, changes)).rejects.toThrow('The database is away.');
    expect(await bench.request(userId, changes)).toMatchObject({
      failures: [{ code: 'CARD_VERIFICATION_ERROR', path: ['destinationPaymentMethod'] }],
    });
    expect([funding.called.length, await countMethods()]).toEqual([0, 0]);
  });

  test("gets a provider's no again, and no provider is called", async () => {
    const correlationId = newCorrelationId();
    const failed = {
      kind: 'rejected',
      code: 'ERROR_CONTACT_NOT_FOUND',
      reason: 'Nobody has this number.',
    } as const;
    funding.answers.push(failed);
    const first = await bench.request(userId, { correlationId });
    expect(first).toEqual({
      ok: false,
      failures: [{ code: 'ERROR_CONTACT_NOT_FOUND', message: 'Nobody has this number.' }],
    });
    expect(await bench.request(userId, { correlationId })).toEqual(first);
    expect(await bench.request(userId, { correlationId, recipientAmount: 5 })).toMatchObject(USED);
    expect(funding.called).toHaveLength(1);
  });
});

test.each([
  ['nobody was asked', {}, { status: 'IN_PROGRESS', withdrawal: undefined }],
  ['the payer may have been asked', { isAsking: true }, { withdrawal: { status: 'UNKNOWN' } }],
])('a reservation that kills its workers is left or given up: %s', async (_name, marks, expected) => {
  const of = { operationId: newCorrelationId() };
  const cards = holdCards(bench);
  void bench.request(userId, { correlationId: of.operationId, destinationPaymentMethod: CARD });
  await cards.untilCalled(1);
  await bench.models.reservations.updateOne(of, { $set: { claims: 100, ...marks } });
  bench.now = new Date(bench.now.getTime() + CALL_LEASE_MS);
  const settings = { withdrawAfterSeconds: 600, retrySeconds: [5], leaseSeconds: 30, stopGraceMs: 0 };
  const worker = createWithdrawalWorker({ ...bench.deps, settings }, bench.models.reservations);
  worker.start();
  await until('the end', async () => {
    await worker.sweep();
    return !(await bench.models.reservations.findOne(of).lean())?.isOpen;
  });
  const { status, withdrawal } = await bench.models.reservations.findOne(of).orFail().lean();
  expect({ status, withdrawal }).toMatchObject(expected);
});

describe('an operator', () => {
  const correlationId = newCorrelationId();
  const key = { accountId: 'acme/sandbox' as const, operationId: correlationId };
  const resume = () => resumeReservation(bench.deps, key);
  const refused = { failures: [{ code: 'INVALID_TRANSITION' }] };
  const store = (changes: object) => bench.models.reservations.updateOne(key, changes);
  const since = new Date(START);
  const cause = { code: 'ERROR_INTERNAL_SERVER_ERROR', message: 'Away.' };
  const withdrawal = { status: 'UNKNOWN', since, attempts: 9, cause };

  test('lets the same request go on, under the same key, when nobody knows whether its payer holds it', async () => {
    expect(await resume()).toMatchObject({ failures: [{ code: 'ERROR_OPERATION_NOT_FOUND' }] });
    funding.answers.push(TIMED_OUT);
    await bench.request(userId, { correlationId });
    expect(await resume()).toMatchObject(refused);
    const { reservations } = bench.deps;
    const refusal = reservations.sealRefusal(key, { code: 'ERROR_INTERNAL_SERVER_ERROR', message: 'Gone.' });
    await store({ $set: { status: 'FAILED', withdrawal, refusal }, $unset: { isOpen: 1 } });
    expect(await bench.request(userId, { correlationId })).toMatchObject({
      failures: [{ message: 'Gone.' }],
    });
    const lease = { leaseToken: 'a', nextAttemptAt: new Date(bench.now.getTime() + 1_000) };
    await store({ $set: lease });
    expect(await resume()).toMatchObject(refused);
    await store({ $unset: { leaseToken: 1 } });
    bench.now = new Date(bench.now.getTime() + 4 * 86_400_000);
    expect(await resume()).toMatchObject({ ok: true, value: { status: 'IN_PROGRESS' } });
    expect(await reservations.find(key)).toMatchObject({ isOpen: true, calledAt: bench.now });
    expect(await bench.request(userId, { correlationId })).toMatchObject({ ok: true });
    expect(funding.called.map(({ key: sent }) => sent)).toEqual(Array(2).fill(funding.called[0]?.key));
    expect(await resume()).toMatchObject(refused);
  });
});
