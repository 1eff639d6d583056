import { expect, test } from '@jest/globals';
import { newCorrelationId, useBench } from '../testing.ts';
import { scriptFunding, TIMED_OUT } from '../testing-funding.ts';
import { operationTimeline } from './operation-timeline.ts';
import { reservationTimeline } from './reservation-timeline.ts';

const bench = useBench('file');

test.each([
  ['the payer has paid', ['Funding', 'Funded', 'Failed'], 'CONTACT_SUPPORT'],
  ['the payer has paid, and a review', ['Funding', 'Funded', 'OnHold', 'Failed'], 'CONTACT_SUPPORT'],
  ['the payer has paid, and a review', ['Accepted', 'Funded', 'OnHold', 'Rejected'], 'CONTACT_SUPPORT'],
  ['the payer has paid', ['Funding', 'Funded', 'ReadyForPickup', 'Cancelled'], 'CONTACT_SUPPORT'],
  ['nobody has paid', ['Funding', 'Failed'], 'REQUEST_AGAIN'],
] as const)('an end after %s: the advice after %p is %s', async (_name, statuses, nextAction) => {
  const correlationId = newCorrelationId();
  await bench.request(await bench.newUser(), { correlationId });
  for (const status of statuses) {
    expect(await bench.update(correlationId, { status })).toMatchObject({ ok: true });
  }
  const chapter = await operationTimeline(bench.deps).read('acme/sandbox', correlationId, 100);
  expect(chapter?.problems).toMatchObject([{ nextAction }]);
});

test('advises to repeat a request whose answer was lost, with the same id', async () => {
  scriptFunding(bench).answers.push(TIMED_OUT);
  const correlationId = newCorrelationId();
  await bench.request(await bench.newUser(), { correlationId });
  const chapter = await reservationTimeline(bench.deps).read('acme/sandbox', correlationId, 100);
  expect(chapter?.problems).toMatchObject([{ nextAction: 'REPEAT_SAME_REQUEST' }]);
  expect(chapter?.entries).toMatchObject([{ payerMayHaveBeenAsked: true, attempt: 1 }]);
});
