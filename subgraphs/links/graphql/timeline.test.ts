import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import type { Activity } from '../activity.ts';
import {
  acme,
  type Bench,
  codeOf,
  createBench,
  globex,
  jsonOf,
  MINUTE_MS,
  must,
  USER_DATA,
} from '../testing.ts';

let store: Database;
let bench: Bench;

beforeAll(async () => {
  store = await openTestDatabase();
});
afterAll(() => store.close());
beforeEach(async () => {
  bench = await createBench(store);
});

const summaryOf = (entries: readonly Activity[]) =>
  entries.map(({ type, actor, status, durationMs }) => [type, actor, status, durationMs ?? null]);
const ticketFor = (linkId: string) => bench.createTicket(acme, { linkId });
const cip = (userId: string, body: object) => bench.updateCip(userId, jsonOf(body));

test('a link with all that may happen to it: in order, with durations, each with its event', async () => {
  const { linkId, userId } = await bench.newLink({ userData: USER_DATA });
  bench.pass(1_500);
  must(await bench.internal.open(linkId));
  bench.pass(1_000);
  must(await ticketFor(linkId));
  bench.pass(30_000);
  must(await cip(userId, { status: 'failed', provider: 'checker' }));
  bench.pass(1_000);
  const raised = must(await bench.raise({ partnerId: 'acme', linkId, fields: ['dob', 'idNumber'] }));
  bench.pass(7_000);
  const answer = { referenceId: raised.referenceId, userData: { dob: '1987-03-15' } };
  must(await bench.fulfil(acme, raised.dataRequestId, answer));
  must(await ticketFor(linkId));
  bench.pass(2_000);
  must(await cip(userId, { status: 'verified' }));
  const operation = {
    accountId: 'acme/sandbox' as const,
    userId,
    operationId: 'op-1',
    status: 'Sent',
    at: bench.now,
  };
  await bench.deps.transaction((unit) => bench.port.attachOperation(operation, unit));
  const since = bench.now;
  bench.pass(4_000);
  const change = {
    accountId: 'acme/sandbox' as const,
    linkId,
    operationId: 'op-1',
    previousStatus: 'Sent',
    status: 'Failed',
  };
  await bench.deps.transaction((unit) =>
    bench.port.recordOperationChange({ ...change, since, at: bench.now }, unit),
  );
  must(await bench.service.revoke(acme, linkId));

  const entries = await bench.timeline(linkId);
  expect(summaryOf(entries)).toEqual([
    ['link.created', 'partner', 'success', null],
    ['link.opened', 'user', 'success', 1_500],
    ['cip.ticket_created', 'partner', 'success', null],
    ['cip.failed', 'system', 'error', 30_000],
    ['data_request.created', 'system', 'success', null],
    ['data_request.fulfilled', 'partner', 'success', 7_000],
    ['cip.ticket_created', 'partner', 'success', null],
    ['cip.verified', 'system', 'success', 2_000],
    ['operation.created', 'system', 'success', null],
    ['operation.status_changed', 'system', 'error', 4_000],
    ['link.revoked', 'partner', 'success', null],
  ]);
  expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => index + 1));
  expect(entries[9]).toMatchObject({
    error: 'The operation is Failed.',
    data: { operationId: 'op-1', previousStatus: 'Sent', status: 'Failed' },
  });
  expect(bench.events.map(({ version, type, data }) => [version, type, data])).toEqual(
    entries.map(({ number, type, activityId }) => [
      number,
      type,
      {
        activityId,
        ...(type === 'data_request.created' && { deliveries: bench.deliveries.map(({ id }) => id) }),
      },
    ]),
  );
  expect(entries.map(({ activityId }) => activityId)).toEqual(
    entries.map(({ activityId }) => activityId).toSorted(),
  );
});

test('entries of a clock that went back keep their order', async () => {
  const { linkId } = await bench.newLink();
  bench.pass(-5_000);
  must(await bench.internal.open(linkId));
  bench.pass(-5_000);
  must(await bench.service.revoke(acme, linkId));
  const entries = await bench.timeline(linkId);
  expect(summaryOf(entries)).toEqual([
    ['link.created', 'partner', 'success', null],
    ['link.opened', 'user', 'success', 0],
    ['link.revoked', 'partner', 'success', null],
  ]);
  const page = await bench.service.listActivities(acme, linkId, { first: 2 });
  const rest = await bench.service.listActivities(acme, linkId, { after: page.edges.at(-1)?.cursor ?? null });
  expect([...page.nodes, ...rest.nodes]).toEqual(entries);
});

describe('opening', () => {
  test('a repeated call returns the link and writes nothing', async () => {
    const { linkId } = await bench.newLink();
    const first = must(await bench.internal.open(linkId));
    expect(first).toMatchObject({ status: 'opened', openedAt: bench.now, version: 2 });
    bench.pass(1_000);
    expect(must(await bench.internal.open(linkId))).toEqual(first);
    expect(await bench.timeline(linkId)).toHaveLength(2);
  });

  test('at once, from many sides, makes one entry', async () => {
    const { linkId } = await bench.newLink();
    const opened = await Promise.all(Array.from({ length: 8 }, () => bench.internal.open(linkId)));
    expect(opened.map((one) => must(one).version)).toEqual(opened.map(() => 2));
    expect(summaryOf(await bench.timeline(linkId))).toHaveLength(2);
  });

  test('fails for a link that is unknown, revoked or expired', async () => {
    expect(codeOf(await bench.internal.open('lnk_nothing'))).toBe('LINK_NOT_FOUND');
    const revoked = await bench.newLink();
    must(await bench.service.revoke(acme, revoked.linkId));
    expect(codeOf(await bench.internal.open(revoked.linkId))).toBe('LINK_REVOKED');
    const expired = await bench.newLink({ expiresInMinutes: 1 });
    bench.pass(MINUTE_MS - 1);
    must(await bench.internal.open(expired.linkId));
    bench.pass(1);
    expect(await bench.internal.open(expired.linkId)).toMatchObject({
      failures: [{ code: 'LINK_REVOKED', message: 'The link has expired.' }],
    });
  });
});

describe('revoking', () => {
  test('works once, also after the opening and the end of its time', async () => {
    const { linkId } = await bench.newLink({ expiresInMinutes: 1 });
    must(await bench.internal.open(linkId));
    bench.pass(MINUTE_MS);
    expect(must(await bench.service.revoke(acme, linkId))).toMatchObject({
      status: 'revoked',
      revokedAt: bench.now,
      openedAt: expect.any(Date),
    });
    expect(codeOf(await bench.service.revoke(acme, linkId))).toBe('LINK_ALREADY_REVOKED');
  });

  test('at once: one fails, for it is revoked already', async () => {
    const { linkId } = await bench.newLink();
    const revoked = await Promise.all([
      bench.service.revoke(acme, linkId),
      bench.service.revoke(acme, linkId),
    ]);
    expect(revoked.map(codeOf).toSorted()).toEqual(['LINK_ALREADY_REVOKED', undefined]);
    expect(await bench.timeline(linkId)).toHaveLength(2);
  });

  test('and opening at once leave one order of the two', async () => {
    const { linkId } = await bench.newLink();
    await Promise.all([bench.service.revoke(acme, linkId), bench.internal.open(linkId)]);
    const types = (await bench.timeline(linkId)).map(({ type }) => type);
    const link = (await bench.service.findByIds(acme, [linkId])).get(linkId);
    expect(link).toMatchObject({ status: 'revoked', version: types.length });
    expect(types.at(-1)).toBe('link.revoked');
  });
});

test("another partner's links answer like unknown ones", async () => {
  const { linkId } = await bench.newLink({ userData: USER_DATA });
  for (const id of [linkId, 'lnk_nothing']) {
    expect(codeOf(await bench.service.revoke(globex, id))).toBe('LINK_NOT_FOUND');
    expect(codeOf(await bench.createTicket(globex, { linkId: id }))).toBe('LINK_NOT_FOUND');
    expect(await bench.service.timeline(globex, id)).toBeUndefined();
    expect(await bench.service.findImage(globex, id)).toBeUndefined();
    expect((await bench.service.findByIds(globex, [id])).size).toBe(0);
    expect((await bench.service.listActivities(globex, id, {})).nodes).toEqual([]);
    const raise = { partnerId: 'globex', linkId: id, fields: ['dob'] };
    expect(codeOf(await bench.raise(raise))).toBe('LINK_NOT_FOUND');
  }
  const [entry] = await bench.timeline(linkId);
  expect(await bench.service.findActivity(globex, entry?.activityId ?? '')).toBeUndefined();
  expect(await bench.timeline(linkId)).toHaveLength(1);
});
