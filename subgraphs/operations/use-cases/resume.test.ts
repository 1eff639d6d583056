import { beforeEach, describe, expect, test } from '@jest/globals';
import { readRequestMoneyV2 } from '../commands/request-money-v2.ts';
import { RequestMoneyV2PaymentMethodInput, toBody } from '../graphql/inputs.ts';
import { createOperationService } from '../service.ts';
import { ACCOUNT, bodyOf, CARD, newCorrelationId, principal, useBench } from '../testing.ts';
import { type ScriptedFunding, scriptFunding, TIMED_OUT } from '../testing-funding.ts';

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

  test('by GraphQL, its amount in other digits, finishes what a time-out left of one by REST', async () => {
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
    const before = await tenants.find('acme');
    tenants.find = async () => before && { ...before, dialCodes: ['+52'], fee: { fixed: '9', percent: '9' } };
    tenants.fxRate = async () => '20';
    tenants.routesBetween = async () => [];
    bench.now = new Date('2030-01-01T00:00:00.000Z');
    expect(await bench.request(userId, changes)).toMatchObject({
      ok: true,
      value: { contactId, amount: '103', exchangeRate: '18.25', createdAt: bench.now },
    });
    expect(funding.called[1]).toEqual(funding.called[0]);
    expect(funding.called[0]?.body).toMatchObject({ amount: '103', payer: { lastName: 'Roe' } });
  });

  test('at once with itself, is one operation and one key', async () => {
    const correlationId = newCorrelationId();
    const results = await Promise.all([1, 2, 3].map(() => bench.request(userId, { correlationId })));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.filter(({ ok }) => !ok)).toMatchObject([USED, USED]);
    expect(new Set(funding.called.map(({ key }) => key)).size).toBe(1);
    expect(new Set(funding.called.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await countOperations(correlationId)).toBe(1);
  });

  test('finishes what a process that died had begun, and its late answer changes nothing', async () => {
    const correlationId = newCorrelationId();
    const answer = funding.hold();
    const dying = bench.request(userId, { correlationId });
    await funding.untilCalled(1);
    const next = createOperationService({ ...bench.deps });
    const body = bodyOf({ correlationId });
    expect(await next.requestMoneyV2(principal, { userId, command: readRequestMoneyV2(body) })).toMatchObject(
      { ok: true },
    );
    answer({ kind: 'accepted' });
    expect(await dying).toMatchObject(USED);
    expect(funding.called[1]).toEqual(funding.called[0]);
    expect(await countOperations(correlationId)).toBe(1);
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

  test('gets what the first one got, when that was quicker', async () => {
    const correlationId = newCorrelationId();
    const answer = funding.hold();
    funding.answers.push({
      kind: 'rejected',
      code: 'ERROR_INVALID_OPERATION',
      reason: 'The payer has no account.',
    });
    const slow = bench.request(userId, { correlationId });
    await funding.untilCalled(1);
    const quick = await bench.request(userId, { correlationId });
    answer({ kind: 'accepted' });
    expect(await slow).toEqual(quick);
    expect(await countOperations(correlationId)).toBe(0);
  });
});
