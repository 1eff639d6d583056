import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { bodyOf, newReference, principal, useBench } from '../testing.ts';
import { expireDueMoneyRequests } from './expire-money-requests.ts';
import { followOperation } from './follow-operation.ts';
import { moneyRequestVerdicts } from './money-request-verdict.ts';

const bench = useBench();

async function create(): Promise<string> {
  const referenceId = newReference();
  await bench.create(bodyOf(referenceId));
  return referenceId;
}

async function verdictOn(referenceId: string) {
  const found = await moneyRequestVerdicts(bench.deps).read('acme/sandbox', [referenceId]);
  return found.get(referenceId);
}

const move = (referenceId: string, status: string, statusDetails?: string) =>
  bench.update(referenceId, { status, ...(statusDetails !== undefined && { statusDetails }) });

test('a pending money request waits for its payer until it expires; other accounts get nothing', async () => {
  const referenceId = await create();
  const { createdAt, expiresAt } = (await bench.deps.moneyRequests.find('acme/sandbox', referenceId)) ?? {};
  expect(await verdictOn(referenceId)).toEqual({
    cause: 'WAITING_FOR_PAYER',
    since: createdAt,
    actBy: expiresAt,
    next: null,
    reason: null,
  });
  const { read } = moneyRequestVerdicts(bench.deps);
  expect([await read('acme/live', [referenceId]), await read('globex/sandbox', [referenceId])]).toEqual([
    new Map(),
    new Map(),
  ]);
});

test.each([
  ['insufficient funds', { cause: 'INSUFFICIENT_FUNDS', reason: null }],
  ['The bank said no', { cause: 'REJECTED', reason: 'The bank said no' }],
  [undefined, { cause: 'REJECTED', reason: null }],
])('a rejection with the details %p: %j', async (details, facts) => {
  const referenceId = await create();
  expect(await move(referenceId, 'rejected', details)).toMatchObject({ ok: true });
  expect(await verdictOn(referenceId)).toMatchObject({ ...facts, next: 'REQUEST_AGAIN', actBy: null });
});

test('one that has an operation: the operation says more, also when it is cancelled', async () => {
  const referenceId = await create();
  expect(await move(referenceId, 'processing')).toMatchObject({ ok: true });
  const operation = { type: 'Operation', id: expect.stringMatching(/^op_/) };
  expect(await verdictOn(referenceId)).toEqual(operation);
  expect(await move(referenceId, 'cancelled')).toMatchObject({ ok: true });
  expect(await verdictOn(referenceId)).toEqual(operation);
});

test('one that the partner cancelled, with and without a reason', async () => {
  const [plain, explained] = [await create(), await create()];
  await bench.service.cancel(principal, plain, {});
  await bench.service.cancel(principal, explained, { reason: 'Wrong amount' });
  expect(await verdictOn(plain)).toMatchObject({ cause: 'CANCELLED_BY_PARTNER', reason: null, next: null });
  expect(await verdictOn(explained)).toMatchObject({ cause: 'CANCELLED', reason: 'Wrong amount' });
});

test('one that nobody paid in time', async () => {
  const referenceId = await create();
  const { expiresAt } = (await bench.deps.moneyRequests.find('acme/sandbox', referenceId)) ?? {};
  bench.now = new Date(Number(expiresAt) + 1);
  await expireDueMoneyRequests(
    { ...bench.deps, log: pino({ enabled: false }) },
    new AbortController().signal,
  );
  expect(await verdictOn(referenceId)).toMatchObject({ cause: 'EXPIRED', since: bench.now, actBy: null });
});

describe('the figures count a rejection', () => {
  const causes = () =>
    bench.events.flatMap(({ entity, figure }) =>
      figure?.cause === undefined ? [] : [[entity, figure.cause]],
    );

  test('with the cause of the verdict', async () => {
    const [declined, plain] = [await create(), await create()];
    await move(declined, 'rejected', 'insufficient funds');
    await move(plain, 'rejected');
    expect(causes()).toEqual([
      ['requestMoney', 'INSUFFICIENT_FUNDS'],
      ['requestMoney', 'REJECTED'],
    ]);
    expect(await verdictOn(declined)).toMatchObject({ cause: 'INSUFFICIENT_FUNDS' });
  });

  test.each([
    ['Funding', 'card declined', 'CARD_DECLINED'],
    ['Funded', 'card declined', 'PAYOUT_FAILED'],
  ])('with the cause of its operation, which was %s, for %s: %s', async (status, details, cause) => {
    const referenceId = await create();
    await move(referenceId, 'processing');
    await bench.database.connection
      .collection('operations')
      .updateOne({ requestReferenceId: referenceId }, { $set: { status } });
    expect(await move(referenceId, 'rejected', details)).toMatchObject({ ok: true });
    expect(causes().toSorted()).toEqual([
      ['operation', cause],
      ['requestMoney', cause],
    ]);
  });

  test('with the cause with which its operation fails by itself', async () => {
    const referenceId = await create();
    await move(referenceId, 'processing');
    const accountId = 'acme/sandbox' as const;
    const moved = {
      accountId,
      referenceId,
      status: 'Failed' as const,
      statusDetails: undefined,
      at: bench.now,
    };
    const followed = await bench.deps.transaction((unit) =>
      followOperation(bench.deps, { ...moved, failureCause: 'PAYOUT_FAILED' }, unit),
    );
    expect(followed).toMatchObject({ ok: true });
    expect(causes()).toEqual([['requestMoney', 'PAYOUT_FAILED']]);
  });
});
