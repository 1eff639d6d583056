import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { transparentBox, unseal, unsealJson } from '../../kernel/crypto/testing.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import type { Link } from '../link.ts';
import { acme, type Bench, createBench, imageOf, MINUTE_MS, must, START, USER_DATA } from '../testing.ts';
import type {
  ActivityDocument,
  CipTicketDocument,
  DataRequestDocument,
  LinkDocument,
  LinkImageDocument,
} from './model.ts';

/*
 * Data that is stored today must be readable tomorrow: collections, fields, the names inside sealed JSON and the contexts are
 * the data's own, and no renaming in the code may change them.
 */

let database: Database;
let bench: Bench;
let link: Link;

beforeAll(async () => {
  database = await openTestDatabase();
  bench = await createBench(database, transparentBox);
  link = await bench.newLink({
    referenceId: 'ref-1',
    userData: { ...USER_DATA, idImage: imageOf('png').uri },
    metadata: { order: 77 },
  });
});
afterAll(() => database.close());

const storedLink = async () => {
  const stored = await database.connection.collection<LinkDocument>('links').findOne({ _id: link.linkId });
  return { ...stored, userData: unsealJson(stored?.userData), metadata: unsealJson(stored?.metadata) };
};

/** Fields that no change of a link sets. */
const lasting = () => ({
  _id: link.linkId,
  accountId: 'acme/sandbox' as const,
  referenceId: 'ref-1',
  userId: link.userId,
  flow: 'transfer',
  url: link.url,
  hasImage: true,
  userData: [`acme/sandbox|userData|${link.linkId}`, USER_DATA],
  metadata: [`acme/sandbox|metadata|${link.linkId}`, { order: 77 }],
  expiresAt: new Date(START.getTime() + 1_440 * MINUTE_MS),
  createdAt: START,
});

test('a link and its picture are stored as they were', async () => {
  expect(await storedLink()).toEqual({
    ...lasting(),
    status: 'created',
    visibility: 'active',
    version: 1,
    updatedAt: START,
  });
  const image = await database.connection
    .collection<LinkImageDocument>('linkImages')
    .findOne({ _id: link.linkId });
  expect({ ...image, bytes: unseal(image?.bytes)[0] }).toEqual({
    _id: link.linkId,
    accountId: 'acme/sandbox',
    contentType: 'image/png',
    bytes: `acme/sandbox|idImage|${link.linkId}`,
  });
});

test('a ticket and a data request are stored as they were', async () => {
  const { linkId, userId } = link;
  const ticket = must(await bench.createTicket(acme, { linkId }));
  const request = must(await bench.raise({ partnerId: 'acme', linkId, fields: ['dob'] }));
  must(await bench.updateCip(userId, { status: 'verified' }));
  must(
    await bench.fulfil(acme, request.dataRequestId, {
      referenceId: 'ref-1',
      userData: { dob: USER_DATA.dob },
    }),
  );
  const tickets = database.connection.collection<CipTicketDocument>('cipTickets');
  expect(await tickets.findOne({ _id: ticket.ticketId })).toEqual({
    _id: ticket.ticketId,
    accountId: 'acme/sandbox',
    linkId,
    userId,
    widgetUrl: ticket.widgetUrl,
    isOpen: false,
    closedAt: START,
    createdAt: START,
  });
  const requests = database.connection.collection<DataRequestDocument>('dataRequests');
  expect(await requests.findOne({ _id: request.dataRequestId })).toEqual({
    _id: request.dataRequestId,
    accountId: 'acme/sandbox',
    linkId,
    referenceId: 'ref-1',
    fields: ['dob'],
    status: 'fulfilled',
    fulfilledAt: START,
    createdAt: START,
  });
});

test('a link with an operation, opened and revoked, and an entry of its timeline are stored as they were', async () => {
  const { linkId, userId } = link;
  must(await bench.internal.open(linkId));
  const operation = { accountId: 'acme/sandbox' as const, operationId: 'op-1', at: START };
  const change = { ...operation, linkId, previousStatus: 'Sent', status: 'Failed', since: START };
  await bench.deps.transaction((unit) =>
    bench.port.attachOperation({ ...operation, userId, status: 'Sent' }, unit),
  );
  await bench.deps.transaction((unit) =>
    bench.port.recordOperationChange({ ...change, failureReason: 'No account' }, unit),
  );
  must(await bench.service.revoke(acme, linkId));
  const { version, ...stored } = await storedLink();
  expect(stored).toEqual({
    ...lasting(),
    status: 'revoked',
    visibility: 'revoked',
    operationId: 'op-1',
    openedAt: START,
    revokedAt: START,
    updatedAt: START,
  });
  const number = (version ?? 0) - 1;
  const activityId = `act_${linkId.slice('lnk_'.length)}_${String(number).padStart(6, '0')}`;
  const activity = await database.connection
    .collection<ActivityDocument>('linkActivities')
    .findOne({ _id: activityId });
  expect({ ...activity, error: unseal(activity?.error) }).toEqual({
    _id: activityId,
    accountId: 'acme/sandbox',
    linkId,
    number,
    type: 'operation.status_changed',
    actor: 'system',
    status: 'error',
    data: { operationId: 'op-1', previousStatus: 'Sent', status: 'Failed' },
    error: [`acme/sandbox|error|${activityId}`, 'No account'],
    durationMs: 0,
    createdAt: START,
  });
});
