import { beforeEach, describe, expect, test } from '@jest/globals';
import { findUnserved, recordQueries } from '../../../test/support/query-shapes.ts';
import { toBuffer } from '../../kernel/binary.ts';
import { newId } from '../../kernel/database/ids.ts';
import { type Fulfilment } from '../port.ts';
import { newCorrelationId, priceOf, principal, START, useBench } from '../testing.ts';
import { fulfil } from './fulfil-money-request.ts';

const bench = useBench();
let userId: string;

beforeEach(async () => {
  userId = await bench.newUser();
});

const links = () => bench.database.connection.collection<{ _id: string }>('links');
const pass = (seconds: number) => {
  bench.now = new Date(bench.now.getTime() + seconds * 1_000);
};

/** A link as the links slice saves it. @returns its id */
async function newLink(changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const linkId = newId('lnk_');
  await links().insertOne({
    _id: linkId,
    accountId: 'acme/sandbox',
    referenceId: 'ref-1',
    userId,
    flow: 'transfer',
    status: 'created',
    visibility: 'active',
    version: 1,
    url: 'https://widget.acme.test/w/1',
    hasImage: false,
    expiresAt: new Date(START.getTime() + 3_600_000),
    createdAt: bench.now,
    updatedAt: bench.now,
    ...changes,
  } as never);
  return linkId;
}

async function newOperation(): Promise<{ operationId: string; linkId: string | undefined }> {
  const correlationId = newCorrelationId();
  const made = await bench.request(userId, { correlationId });
  expect(made.ok).toBe(true);
  const { operation } = await bench.stored(correlationId);
  return { operationId: correlationId, linkId: operation?.linkId };
}

/** The timeline of a link, from its second entry on. */
async function timeline(linkId: string) {
  const entries = await bench.database.connection
    .collection('linkActivities')
    .find({ linkId })
    .sort({ number: 1 })
    .toArray();
  return entries.map(({ error, ...entry }) => ({
    ...entry,
    ...(error && {
      error: bench.deps.box.open(toBuffer(error), `acme/sandbox|error|${entry._id}`).toString(),
    }),
  }));
}

describe('a new operation', () => {
  test("belongs to its user's newest link that still works and has none", async () => {
    const oldest = await newLink();
    pass(1);
    const newest = await newLink({ flow: 'request_money', status: 'opened' });
    pass(1);
    await newLink({ flow: 'cip' });
    await newLink({ status: 'revoked', visibility: 'revoked' });
    await newLink({ expiresAt: bench.now });
    await newLink({ userId: await bench.newUser() });
    await newLink({ accountId: 'globex/sandbox' });
    expect((await newOperation()).linkId).toBe(newest);
    expect((await newOperation()).linkId).toBe(oldest);
    expect((await newOperation()).linkId).toBeUndefined();
  });

  test('begins its part of the timeline, and each move goes on with it', async () => {
    const linkId = await newLink();
    pass(5);
    const { operationId } = await newOperation();
    pass(2);
    await bench.update(operationId, { status: 'Funding' });
    pass(3);
    await bench.update(operationId, { status: 'Funding', statusDetails: 'CardPending' });
    await bench.update(operationId, { status: 'Funding', statusDetails: 'CardPending' });
    pass(4);
    await bench.update(operationId, { status: 'Failed', failureReason: 'Card declined' });
    expect(await timeline(linkId)).toMatchObject([
      { number: 2, type: 'operation.created', status: 'success', data: { operationId, status: 'Sent' } },
      {
        number: 3,
        type: 'operation.status_changed',
        status: 'success',
        data: { operationId, previousStatus: 'Sent', status: 'Funding' },
        durationMs: 2_000,
      },
      {
        number: 4,
        type: 'operation.status_changed',
        status: 'error',
        error: 'Card declined',
        data: { operationId, previousStatus: 'Funding', status: 'Failed' },
        durationMs: 4_000,
      },
    ]);
    expect(await links().findOne({ _id: linkId })).toMatchObject({ operationId, version: 4 });
  });

  test("of a payer link's money request has every step that it took at once", async () => {
    const linkId = await newLink({ flow: 'request_money' });
    const operationId = newCorrelationId();
    const fulfilment: Fulfilment = {
      accountId: 'acme/sandbox',
      operationId,
      countries: { sourceCountry: 'US', destinationCountry: 'MX' },
      requestReferenceId: 'AB12cd34',
      recipientReferenceId: 'u-77',
      userId,
      quote: priceOf('5'),
      status: 'Funded',
      statusDetails: 'PaymentInProgress',
      at: START,
    };
    const change = (changes: Partial<Fulfilment>) =>
      bench.deps.transaction((unit) => fulfil(bench.deps, { ...fulfilment, ...changes }, unit));
    await change({});
    pass(60);
    await change({ status: 'Completed', at: bench.now });
    expect((await bench.stored(operationId)).operation).toMatchObject({ linkId, status: 'Completed' });
    const entries = await timeline(linkId);
    expect(entries.map(({ data, durationMs }) => [data.previousStatus, data.status, durationMs])).toEqual([
      [undefined, 'Funding', undefined],
      ['Funding', 'Funded', 0],
      ['Funded', 'Completed', 60_000],
    ]);
  });

  test('of a user without links costs one read by an index, and its moves none', async () => {
    const queries = recordQueries(bench.database.connection);
    const { operationId } = await newOperation();
    await bench.update(operationId, { status: 'Accepted' });
    const own = queries.filter(({ collection }) => collection.startsWith('link'));
    expect(own).toHaveLength(1);
    expect(findUnserved(bench.database.connection, own)).toEqual([]);
  });
});

describe('at once', () => {
  test('six operations share three links out, one each', async () => {
    const made = await Promise.all([newLink(), newLink(), newLink()]);
    const operations = await Promise.all(Array.from({ length: 6 }, newOperation));
    const given = operations.flatMap(({ linkId }) => linkId ?? []);
    expect(given.toSorted()).toEqual(made.toSorted());
    for (const { operationId, linkId } of operations) {
      expect(await links().countDocuments({ accountId: 'acme/sandbox', operationId } as never)).toBe(
        linkId === undefined ? 0 : 1,
      );
    }
    expect(await Promise.all(made.map(async (linkId) => (await timeline(linkId)).length))).toEqual([1, 1, 1]);
  });

  test('one correlation id takes one link', async () => {
    const made = await Promise.all([newLink(), newLink()]);
    const correlationId = newCorrelationId();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => bench.request(userId, { correlationId })),
    );
    expect(answers.filter(({ ok }) => ok)).not.toEqual([]);
    const entries = await Promise.all(made.map(async (linkId) => (await timeline(linkId)).length));
    expect(entries.toSorted()).toEqual([0, 1]);
  });

  test('moves that collide are recorded once, in order', async () => {
    const linkId = await newLink();
    const { operationId } = await newOperation();
    await Promise.all(
      ['Accepted', 'Funding', 'Cancelled', 'Accepted'].map((status) => bench.update(operationId, { status })),
    );
    const entries = (await timeline(linkId)).slice(1);
    const moves = (await bench.service.findMoves(principal, [operationId])).get(operationId) ?? [];
    expect(entries.map(({ data }) => [data.previousStatus, data.status])).toEqual(
      moves.slice(1).map(({ previousStatus, status }) => [previousStatus, status]),
    );
    expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => index + 3));
  });
});
