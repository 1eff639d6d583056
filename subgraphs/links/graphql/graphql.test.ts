import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import {
  acme,
  type Bench,
  createBench,
  globex,
  imageOf,
  MINUTE_MS,
  must,
  newReference,
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

const LINK = `id referenceId flow status url expiresAt createdAt openedAt revokedAt metadata user { id }
  userData { name { firstName secondName lastName secondLastName } idType idNumber dob paymentMethod idImageUrl }
  readiness { ready missing } operation { id link { id } }`;
const CREATE = `mutation ($input: CreateLinkInput!) { createLink(input: $input) { link { ${LINK} } userErrors { code path message } } }`;

interface Created {
  readonly createLink: {
    readonly link: Record<string, unknown> | null;
    readonly userErrors: readonly { code: string; path: string[] | null }[];
  };
}

describe('createLink', () => {
  test('answers the link with its user data masked', async () => {
    const referenceId = newReference();
    const input = {
      flow: 'CIP',
      referenceId,
      userData: { ...USER_DATA, idImage: imageOf('webp').uri },
      metadata: { nothing: null, amount: 10.1, deep: { list: [1, 'a'] } },
    };
    const { data, errors } = await bench.execute<Created>(CREATE, { input });
    expect(errors).toBeUndefined();
    const link = data?.createLink.link;
    expect(link).toMatchObject({
      referenceId,
      flow: 'CIP',
      status: 'CREATED',
      createdAt: '2026-11-21T08:00:00.000Z',
      expiresAt: '2026-11-22T08:00:00.000Z',
      openedAt: null,
      revokedAt: null,
      metadata: input.metadata,
      userData: {
        name: USER_DATA.name,
        idType: 'passport',
        idNumber: '****ZK84',
        dob: '1987-03-14',
        paymentMethod: USER_DATA.paymentMethod,
        idImageUrl: `https://api.acme.test/partner/links/${link?.id}/id-image`,
      },
      readiness: { ready: true, missing: [] },
      operation: null,
    });
  });

  test('treats null as absent', async () => {
    const name = { firstName: 'Ana', lastName: 'Ruiz', secondName: null };
    const userData = { name, idType: null, dob: null, paymentMethod: null };
    const input = { flow: 'TRANSFER', referenceId: newReference(), expiresInMinutes: null, userData };
    const { data } = await bench.execute<Created>(CREATE, { input: { ...input, metadata: null } });
    expect(data?.createLink.link).toMatchObject({
      metadata: null,
      userData: { name: { firstName: 'Ana', secondName: null }, idNumber: null, idImageUrl: null },
      readiness: { ready: false, missing: ['idType', 'idNumber', 'dob'] },
    });
  });

  test('says by codes and paths why it failed', async () => {
    const input = { flow: 'TRANSFER', referenceId: '', userData: { dob: 'x' }, expiresInMinutes: 0 };
    const { data } = await bench.execute<Created>(CREATE, { input });
    expect(data?.createLink).toMatchObject({
      link: null,
      userErrors: [
        { code: 'INVALID_REQUEST', path: ['referenceId'] },
        { code: 'INVALID_REQUEST', path: ['expiresInMinutes'] },
        { code: 'INVALID_REQUEST', path: ['userData', 'dob'] },
      ],
    });
  });

  test('from JSON keeps to the same rules', async () => {
    const mutation = `mutation ($body: String!) { createLinkFromJson(body: $body) { link { id metadata } userErrors { code path } } }`;
    const body = '{"flow":"cip","referenceId":"r","metadata":{"a":10.10}}';
    const made = await bench.execute(mutation, { body });
    expect(made.data).toMatchObject({ createLinkFromJson: { link: { metadata: { a: 10.1 } } } });
    const failed = await bench.execute(mutation, { body: '{"flow":' });
    expect(failed.data).toMatchObject({
      createLinkFromJson: { link: null, userErrors: [{ code: 'INVALID_REQUEST', path: [] }] },
    });
  });
});

test('revokeLink, createCipTicket and fulfilDataRequest answer what they made', async () => {
  const { linkId, referenceId } = await bench.newLink({ userData: USER_DATA });
  const ticket = await bench.execute(
    `mutation { createCipTicket(input: { linkId: "${linkId}" }) { ticket { widgetUrl referenceId link { id } } userErrors { code } } }`,
  );
  expect(ticket.data).toMatchObject({
    createCipTicket: { ticket: { referenceId, link: { id: linkId } }, userErrors: [] },
  });
  const raised = must(await bench.raise({ partnerId: 'acme', linkId, fields: ['dob'] }));
  const answered = await bench.execute(
    `mutation ($input: FulfilDataRequestInput!) { fulfilDataRequest(input: $input) { dataRequest { id status linkId fields fulfilledAt } userErrors { code } } }`,
    { input: { dataRequestId: raised.dataRequestId, referenceId, userData: { dob: '1990-01-01' } } },
  );
  expect(answered.data).toEqual({
    fulfilDataRequest: {
      dataRequest: {
        id: raised.dataRequestId,
        status: 'FULFILLED',
        linkId,
        fields: ['dob'],
        fulfilledAt: '2026-11-21T08:00:00.000Z',
      },
      userErrors: [],
    },
  });
  const revoke = `mutation { revokeLink(input: { linkId: "${linkId}" }) { link { status revokedAt } userErrors { code } } }`;
  expect((await bench.execute(revoke)).data).toEqual({
    revokeLink: { link: { status: 'REVOKED', revokedAt: '2026-11-21T08:00:00.000Z' }, userErrors: [] },
  });
  expect((await bench.execute(revoke)).data).toEqual({
    revokeLink: { link: null, userErrors: [{ code: 'LINK_ALREADY_REVOKED' }] },
  });
});

test('a timeline by pages, whole for REST, and the image', async () => {
  const image = imageOf('jpeg');
  const { linkId } = await bench.newLink({ userData: { idImage: image.uri } });
  bench.pass(250);
  must(await bench.internal.open(linkId));
  const query = `query ($id: ID!) {
    link(id: $id) { activities(first: 1) { totalCount nodes { type } pageInfo { hasNextPage } } }
    linkActivity(linkId: $id) { id type actor status occurredAt data error durationMs }
    linkImage(linkId: $id) { contentType base64 }
  }`;
  expect((await bench.execute(query, { id: linkId })).data).toMatchObject({
    link: {
      activities: { totalCount: 2, nodes: [{ type: 'LINK_CREATED' }], pageInfo: { hasNextPage: true } },
    },
    linkActivity: [
      { type: 'LINK_CREATED', actor: 'PARTNER', data: { flow: 'transfer' }, durationMs: null, error: null },
      { type: 'LINK_OPENED', actor: 'USER', status: 'SUCCESS', data: {}, durationMs: 250 },
    ],
    linkImage: { contentType: 'image/jpeg', base64: image.bytes.toString('base64') },
  });
  expect((await bench.execute(query, { id: linkId }, globex)).data).toEqual({
    link: null,
    linkActivity: null,
    linkImage: null,
  });
});

test('a duration may be longer than an Int', async () => {
  const { linkId } = await bench.newLink({ expiresInMinutes: 43_200 });
  const days29 = 29 * 24 * 60 * MINUTE_MS;
  bench.pass(days29);
  must(await bench.internal.open(linkId));
  const query = 'query ($id: ID!) { linkActivity(linkId: $id) { durationMs } }';
  expect(await bench.execute(query, { id: linkId })).toEqual({
    data: { linkActivity: [{ durationMs: null }, { durationMs: days29 }] },
  });
});

test('linkPage answers the page, or each bad value', async () => {
  const { linkId, referenceId } = await bench.newLink();
  const query = `query ($limit: String, $referenceId: String) {
    linkPage(limit: $limit, referenceId: $referenceId) { items { id } page limit total totalPages userErrors { code path } }
  }`;
  expect((await bench.execute(query, { referenceId })).data).toEqual({
    linkPage: { items: [{ id: linkId }], page: 1, limit: 20, total: 1, totalPages: 1, userErrors: [] },
  });
  expect((await bench.execute(query, { limit: '0' })).data).toMatchObject({
    linkPage: { items: [], userErrors: [{ code: 'INVALID_REQUEST', path: ['limit'] }] },
  });
});

test('the calls of the back end need its scope, and partners need theirs', async () => {
  const { linkId, userId } = await bench.newLink();
  const open = `mutation { openLink(linkId: "${linkId}", body: "") { link { status } userErrors { code } } }`;
  const cip = `mutation { updateCipFromJson(userId: "${userId}", body: "{\\"status\\":\\"verified\\"}") { identity { userId cipStatus cipVerifiedAt cipProvider cipResult } userErrors { code } } }`;
  const raise = `mutation { raiseDataRequestFromJson(body: "{}") { dataRequest { id } userErrors { code path } } }`;
  for (const document of [open, cip, raise]) {
    expect((await bench.execute(document)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  }
  expect((await bench.execute(open, {}, 'internal')).data).toMatchObject({
    openLink: { link: { status: 'OPENED' } },
  });
  expect((await bench.execute(cip, {}, 'internal')).data).toMatchObject({
    updateCipFromJson: { identity: { userId, cipStatus: 'verified', cipProvider: null, cipResult: null } },
  });
  expect((await bench.execute(raise, {}, 'internal')).data).toMatchObject({
    raiseDataRequestFromJson: {
      userErrors: ['partnerId', 'linkId', 'fields'].map((name) => ({
        code: 'VALIDATION_FAILED',
        path: [name],
      })),
    },
  });
  const partner = ['{ link(id: "x") { id } }', '{ links { totalCount } }', '{ linkPage { page } }'];
  for (const document of partner) {
    expect((await bench.execute(document, {}, 'internal')).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    const bare = { ...acme, scopes: [] };
    expect((await bench.execute(document, {}, bare)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  }
});

test('the links of several operations are read together', async () => {
  const made = [await bench.newLink(), await bench.newLink()];
  for (const [index, { userId }] of made.entries()) {
    const operation = {
      accountId: 'acme/sandbox' as const,
      userId,
      operationId: `op-${index}`,
      status: 'Sent',
      at: bench.now,
    };
    await bench.deps.transaction((unit) => bench.port.attachOperation(operation, unit));
  }
  const representations = ['op-0', 'op-1', 'op-2'].map((id) => ({ __typename: 'Operation', id }));
  const { data } = await bench.execute(
    'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Operation { id link { id operation { id link { id } } } } } }',
    { representations },
  );
  const linked = made.map(({ linkId }, index) => {
    const id = `op-${index}`;
    return { id, link: { id: linkId, operation: { id, link: { id: linkId } } } };
  });
  expect(data).toEqual({ _entities: [...linked, { id: 'op-2', link: null }] });
});
