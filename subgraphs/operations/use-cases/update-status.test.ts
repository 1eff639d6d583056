import { beforeEach, describe, expect, test } from '@jest/globals';
import { canMove, detailsOf, OPERATION_STATUSES, type OperationStatus } from '../lifecycle.ts';
import { newCorrelationId, START, useBench } from '../testing.ts';

const bench = useBench();
let userId: string;

beforeEach(async () => {
  userId = await bench.newUser();
});

const later = new Date(START.getTime() + 60_000);

/** A new operation, after the moves given. @returns its id */
async function operationAfter(...statuses: OperationStatus[]): Promise<string> {
  const correlationId = newCorrelationId();
  await bench.request(userId, { correlationId });
  for (const status of statuses) {
    expect(await bench.update(correlationId, { status })).toMatchObject({ ok: true });
  }
  bench.now = later;
  return correlationId;
}

/** The shortest way to each status. */
const WAYS: Readonly<Record<OperationStatus, OperationStatus[]>> = {
  Sent: [],
  Funding: ['Funding'],
  Accepted: ['Accepted'],
  Rejected: ['Rejected'],
  Cancelled: ['Cancelled'],
  OnHold: ['OnHold'],
  Funded: ['Accepted', 'Funded'],
  Failed: ['Funding', 'Failed'],
  InTransit: ['Accepted', 'Funded', 'InTransit'],
  ReadyForPickup: ['Accepted', 'Funded', 'ReadyForPickup'],
  Completed: ['Accepted', 'Funded', 'Completed'],
};

describe('a move', () => {
  test.each(OPERATION_STATUSES)('from %s is of the table, or changes nothing', async (from) => {
    const others = OPERATION_STATUSES.filter((status) => status !== from);
    const isAllowed = (to: OperationStatus) => canMove(from, to, from === 'OnHold' ? 'Sent' : undefined);
    // One for all: it is as it was after each of them.
    const staying = await operationAfter(...WAYS[from]);
    const unchanged = await bench.stored(staying);
    for (const to of others.filter((status) => !isAllowed(status))) {
      expect(await bench.update(staying, { status: to })).toMatchObject({
        failures: [
          { code: 'INVALID_TRANSITION', message: `An operation cannot move from ${from} to ${to}.` },
        ],
      });
      expect(await bench.stored(staying)).toEqual(unchanged);
    }
    for (const to of others.filter(isAllowed)) {
      const operationId = await operationAfter(...WAYS[from]);
      const before = await bench.stored(operationId);
      const updated = await bench.update(operationId, { status: to });
      const after = await bench.stored(operationId);
      expect(updated).toEqual({ ok: true, value: after.operation });
      expect(after.operation).toMatchObject({ status: to, statusDetails: detailsOf(to), updatedAt: later });
      const version = before.moves.length + 1;
      const move = { version, previousStatus: from, status: to, statusDetails: detailsOf(to) };
      expect(after.moves.slice(before.moves.length)).toMatchObject([{ ...move, at: later }]);
      expect(after.events.slice(before.events.length)).toMatchObject([
        { ...move, type: 'operation.status_changed', data: { userId }, occurredAt: later },
      ]);
    }
  });

  test.each<[OperationStatus, OperationStatus[]]>([
    ['Sent', []],
    ['InTransit', ['Accepted', 'Funded', 'InTransit']],
  ])('from OnHold leads back to %s alone, or to an end', async (heldFrom, way) => {
    const operationId = await operationAfter(...way, 'OnHold');
    expect((await bench.stored(operationId)).operation).toMatchObject({ status: 'OnHold', heldFrom });
    expect(await bench.update(operationId, { status: 'Funding' })).toMatchObject({
      failures: [{ code: 'INVALID_TRANSITION' }],
    });
    await bench.update(operationId, { status: 'OnHold', statusDetails: 'SecondReview' });
    expect((await bench.stored(operationId)).operation).toMatchObject({
      statusDetails: 'SecondReview',
      heldFrom,
    });
    expect(await bench.update(operationId, { status: heldFrom })).toMatchObject({ ok: true });
    const { operation } = await bench.stored(operationId);
    expect(operation).toMatchObject({ status: heldFrom });
    expect(operation).not.toHaveProperty('heldFrom');
  });

  test('sets the times and the reason of an end', async () => {
    const completed = await operationAfter('Accepted', 'Funded');
    await bench.update(completed, { status: 'Completed', failureReason: 'none' });
    const { operation } = await bench.stored(completed);
    expect(operation).toMatchObject({ completedAt: later });
    expect(operation).not.toHaveProperty('failureReason');
    const failed = await operationAfter('Funding');
    await bench.update(failed, { status: 'Failed', failureReason: 'No funds' });
    expect((await bench.stored(failed)).operation).toMatchObject({
      failedAt: later,
      failureReason: 'No funds',
    });
  });
});

describe('the same status', () => {
  test.each([
    ['with the same details', { statusDetails: 'ByReviewer' }],
    ['without details', {}],
  ])('%s again is no move', async (_name, changes) => {
    const operationId = await operationAfter();
    const first = await bench.update(operationId, { status: 'Rejected', statusDetails: 'ByReviewer' });
    const before = await bench.stored(operationId);
    expect(await bench.update(operationId, { status: 'Rejected', ...changes })).toEqual(first);
    expect(await bench.stored(operationId)).toEqual(before);
  });

  test('with other details is a move of its own, unless it is final', async () => {
    const operationId = await operationAfter('Funding');
    await bench.update(operationId, { status: 'Funding', statusDetails: 'Reminded' });
    const { moves, events } = await bench.stored(operationId);
    expect(moves.at(-1)).toMatchObject({
      version: 3,
      previousStatus: 'Funding',
      status: 'Funding',
      statusDetails: 'Reminded',
    });
    expect(events).toHaveLength(3);
    await bench.update(operationId, { status: 'Failed' });
    expect(await bench.update(operationId, { status: 'Failed', statusDetails: 'Again' })).toMatchObject({
      failures: [{ code: 'INVALID_TRANSITION' }],
    });
  });
});

describe('an update', () => {
  test('of two at once, one moves the operation and the other finds it moved', async () => {
    const operationId = await operationAfter();
    const outcomes = await Promise.all([
      bench.update(operationId, { status: 'Rejected' }),
      bench.update(operationId, { status: 'Cancelled' }),
    ]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    const { operation, moves, events } = await bench.stored(operationId);
    expect([operation?.version, moves.length, events.length]).toEqual([2, 2, 2]);
  });

  test('that is saved in part is not saved', async () => {
    const operationId = await operationAfter();
    const before = await bench.stored(operationId);
    bench.deps.events.append = () => {
      throw new Error('the database is away');
    };
    await expect(bench.update(operationId, { status: 'Funding' })).rejects.toThrow('the database is away');
    expect(await bench.stored(operationId)).toEqual(before);
  });

  test.each([
    ['of an unknown partner', { partnerId: 'nobody', status: 'Funding' }],
    ["of another partner's operation", { partnerId: 'globex', status: 'Funding' }],
  ])('%s finds nothing', async (_name, changes) => {
    const operationId = await operationAfter();
    const before = await bench.stored(operationId);
    expect(await bench.update(operationId, changes)).toMatchObject({
      failures: [{ code: 'OPERATION_NOT_FOUND' }],
    });
    expect(await bench.stored(operationId)).toEqual(before);
  });
});

describe('an update without an environment', () => {
  const LIVE = 'acme/live';
  const UNDECIDED = { failures: [{ code: 'AMBIGUOUS_ENVIRONMENT' }] };

  async function operationWithIdTakenInLive(): Promise<string> {
    const operationId = await operationAfter();
    await bench.deps.transaction(async (unit) =>
      bench.deps.operationIds.reserve({ accountId: LIVE, operationId }, unit),
    );
    return operationId;
  }

  test('moves the only operation, though a request of the other environment has its id', async () => {
    const operationId = await operationWithIdTakenInLive();
    expect(await bench.update(operationId, { status: 'Funding' })).toMatchObject({
      ok: true,
      value: { accountId: 'acme/sandbox', status: 'Funding' },
    });
  });

  test('is refused while the payer of the other request may have been asked', async () => {
    const operationId = await operationWithIdTakenInLive();
    bench.deps.remittances = {
      find: async ({ accountId }) =>
        accountId === LIVE
          ? { userId, conclude: () => Promise.reject(new Error('It is concluded')) }
          : undefined,
    };
    const before = await bench.stored(operationId);
    expect(await bench.update(operationId, { status: 'Funding' })).toMatchObject(UNDECIDED);
    expect(await bench.stored(operationId)).toEqual(before);
  });

  test('is refused where both have the operation', async () => {
    const operationId = await operationWithIdTakenInLive();
    const stored = await bench.models.operations.findOne({ operationId }).lean();
    await bench.models.operations.create({ ...stored, _id: `${stored?._id}-live`, accountId: LIVE });
    expect(await bench.update(operationId, { status: 'Funding' })).toMatchObject(UNDECIDED);
  });
});

describe("a blocked user's operation", () => {
  const block = () =>
    bench.database.connection
      .collection<{ _id: string }>('users')
      .updateOne({ _id: userId }, { $set: { blocked: true } });

  test.each<[string, OperationStatus[], OperationStatus[], OperationStatus[]]>([
    ['Sent', [], ['OnHold'], ['Rejected']],
    ['Funding', ['Funding'], ['Funded', 'OnHold'], ['Failed']],
    ['Funded', ['Accepted', 'Funded'], ['InTransit', 'ReadyForPickup', 'Completed', 'OnHold'], ['Failed']],
    ['ReadyForPickup', ['Accepted', 'Funded', 'ReadyForPickup'], ['Completed'], ['Cancelled']],
  ])('at %s goes to an end without success alone', async (_from, way, failed, open) => {
    const operationId = await operationAfter(...way);
    await block();
    const before = await bench.stored(operationId);
    for (const status of failed) {
      expect(await bench.update(operationId, { status })).toMatchObject({
        failures: [{ code: 'USER_BLOCKED', message: 'The user is blocked.' }],
      });
    }
    expect(await bench.update(operationId, { status: 'Rejected', partnerId: 'globex' })).toMatchObject({
      failures: [{ code: 'OPERATION_NOT_FOUND' }],
    });
    expect(await bench.stored(operationId)).toEqual(before);
    for (const status of open) {
      expect(await bench.update(operationId, { status })).toMatchObject({ ok: true });
    }
  });

  test('that is completed is completed again, which changes nothing', async () => {
    const operationId = await operationAfter('Accepted', 'Funded', 'Completed');
    await block();
    expect(await bench.update(operationId, { status: 'Completed' })).toMatchObject({ ok: true });
    expect(await bench.update(operationId, { status: 'Funded' })).toMatchObject({
      failures: [{ code: 'INVALID_TRANSITION' }],
    });
  });
});
