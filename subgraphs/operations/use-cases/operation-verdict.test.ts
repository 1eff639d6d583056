import { expect, test } from '@jest/globals';
import { newCorrelationId, useBench } from '../testing.ts';
import { scriptFunding, TIMED_OUT } from '../testing-funding.ts';
import { operationVerdicts } from './operation-verdict.ts';
import { reservationVerdicts } from './reservation-verdict.ts';

const bench = useBench('file');
const ACCOUNT = 'acme/sandbox';

test.each([
  [[], undefined, { cause: 'WAITING_FOR_PAYER', next: null }],
  [['Accepted'], undefined, { cause: 'WAITING_FOR_PAYMENT', next: null }],
  [['Funding'], undefined, { cause: 'PAYING', next: null }],
  [['Funding', 'Funded'], undefined, { cause: 'PAID', next: null }],
  [['Funding', 'Funded', 'InTransit'], undefined, { cause: 'PAYOUT_UNDER_WAY', next: null }],
  [['Funding', 'Funded', 'ReadyForPickup'], undefined, { cause: 'CASH_READY', next: null }],
  [
    ['Funding', 'OnHold'],
    undefined,
    { cause: 'UNDER_REVIEW', next: 'ASK_OPERATOR', detail: 'HELD_BEFORE_PAYMENT' },
  ],
  [
    ['Funding', 'Funded', 'OnHold'],
    undefined,
    { cause: 'UNDER_REVIEW', next: 'ASK_OPERATOR', detail: 'HELD_AFTER_PAYMENT' },
  ],
  [['Funding', 'Funded', 'Completed'], undefined, { cause: 'COMPLETED', next: null, reason: null }],
  [['Rejected'], undefined, { cause: 'REJECTED', next: 'REQUEST_AGAIN', reason: null }],
  [['Rejected'], 'Not today', { cause: 'REJECTED', reason: 'Not today' }],
  [['Cancelled'], undefined, { cause: 'CANCELLED', next: null }],
  [
    ['Funding', 'Failed'],
    'The card was declined.',
    { cause: 'CARD_DECLINED', next: 'REQUEST_AGAIN', reason: null },
  ],
  [['Funding', 'Failed'], 'insufficient_funds', { cause: 'INSUFFICIENT_FUNDS', next: 'REQUEST_AGAIN' }],
  [['Funding', 'Failed'], 'The card was not declined', { cause: 'PAYMENT_FAILED' }],
  [
    ['Funding', 'Funded', 'Failed'],
    'The card was declined.',
    { cause: 'PAYOUT_FAILED', next: 'CONTACT_SUPPORT', reason: 'The card was declined.' },
  ],
  [['Funding', 'Funded', 'OnHold', 'Failed'], undefined, { cause: 'PAYOUT_FAILED', next: 'CONTACT_SUPPORT' }],
  [
    ['Accepted', 'Funded', 'OnHold', 'Rejected'],
    undefined,
    { cause: 'PAYOUT_FAILED', next: 'CONTACT_SUPPORT' },
  ],
  [
    ['Funding', 'Funded', 'ReadyForPickup', 'Cancelled'],
    undefined,
    { cause: 'CANCELLED', next: 'CONTACT_SUPPORT' },
  ],
] as const)('after %j with the reason %p: %j', async (statuses, failureReason, facts) => {
  const correlationId = newCorrelationId();
  await bench.request(await bench.newUser(), { correlationId });
  for (const [index, status] of statuses.entries()) {
    const reason = index === statuses.length - 1 && failureReason ? { failureReason } : {};
    expect(await bench.update(correlationId, { status, ...reason })).toMatchObject({ ok: true });
  }
  const { read } = operationVerdicts(bench.deps);
  const verdict = (await read(ACCOUNT, [correlationId])).get(correlationId);
  expect(verdict).toMatchObject({ actBy: null, ...facts });
  const { operation, events } = await bench.stored(correlationId);
  const hasFailed = operation?.status === 'Failed' || operation?.status === 'Rejected';
  expect(verdict).toMatchObject(hasFailed ? { cause: events.at(-1)?.figure?.cause } : {});
  expect(events.filter(({ figure }) => figure?.cause)).toHaveLength(hasFailed ? 1 : 0);
  expect(await read('globex/sandbox', [correlationId])).toEqual(new Map());
  expect(await read('acme/live', [correlationId])).toEqual(new Map());
});

test('the state begins with its status, and not with other details of it', async () => {
  const correlationId = newCorrelationId();
  await bench.request(await bench.newUser(), { correlationId });
  bench.now = new Date(bench.now.getTime() + 60_000);
  const since = bench.now;
  await bench.update(correlationId, { status: 'Funding' });
  bench.now = new Date(bench.now.getTime() + 3_600_000);
  await bench.update(correlationId, { status: 'Funding', statusDetails: 'Bank asked' });
  const { read } = operationVerdicts(bench.deps);
  expect((await read(ACCOUNT, [correlationId])).get(correlationId)).toMatchObject({ cause: 'PAYING', since });
});

test('cash that nobody picked up in time: the payer has paid', async () => {
  const correlationId = newCorrelationId();
  await bench.request(await bench.newUser(), { correlationId });
  for (const status of ['Funding', 'Funded', 'ReadyForPickup']) {
    await bench.update(correlationId, { status });
  }
  await bench.update(correlationId, { status: 'Cancelled', statusDetails: 'Expired' });
  const { read } = operationVerdicts(bench.deps);
  expect((await read(ACCOUNT, [correlationId])).get(correlationId)).toMatchObject({
    cause: 'CANCELLED',
    reason: 'Expired',
    next: 'CONTACT_SUPPORT',
  });
});

test('a request by v2 without an answer: the same request may be sent again; with one, its operation says more', async () => {
  const { read } = reservationVerdicts(bench.deps);
  const [lost, done] = [newCorrelationId(), newCorrelationId()];
  scriptFunding(bench).answers.push(TIMED_OUT);
  await bench.request(await bench.newUser(), { correlationId: lost });
  await bench.request(await bench.newUser(), { correlationId: done });
  const found = await read(ACCOUNT, [lost, done]);
  expect(found.get(lost)).toMatchObject({ cause: 'UNANSWERED', next: 'REPEAT_SAME_REQUEST' });
  expect(found.get(done)).toEqual({ type: 'Operation', id: done });
});
