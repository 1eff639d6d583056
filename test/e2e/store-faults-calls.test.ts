/** @only-in-full */
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type AdminBench, openAdminBench } from '../../gateway/cli/admin/testing.ts';
import { type Acme, callAsAcme, newLinkBody, newPerson } from '../support/acme.ts';
import { runAsCall } from '../support/admin-call.ts';
import { newPhone } from '../support/isolation/ids.ts';
import { createMoneyRequest, moneyRequestBody, newReference } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { deployWithFaults, type FaultyProduct } from '../support/strikes.ts';
import { type Call, strikeCall } from '../support/struck-calls.ts';
import { TEST_URI_VARIABLE } from '../support/test-database.ts';

// As store-faults.test.ts, for the calls around money requests: each is sent until it is answered, and has one effect.

const scene = useScene();
let product: FaultyProduct;
let acme: Acme;
let bench: AdminBench;
beforeAll(async () => {
  product = await deployWithFaults(scene);
  acme = callAsAcme(product.exchange);
  const admin = product.proxy.uriOf('admin');
  bench = await openAdminBench({ ...process.env, [TEST_URI_VARIABLE]: admin });
  scene.atEnd(() => bench.close());
});
afterEach(() => {
  product.proxy.arm(undefined, 0, () => false);
});

const strike = <Made>(call: Call<Made>) => strikeCall(product.proxy, product.database, call);

const ACCOUNT = { number: '032180000118359719', country: 'MX', currency: 'MXN' };
const payerOf = () => ({
  phoneNumber: newPhone(),
  firstName: 'Bob',
  lastName: 'Roe',
  countryCode: 'US',
});
const stored = async (collection: string, filter: object, ...fields: string[]) => {
  const [found, ...others] = await product.database.collection(collection).find(filter).toArray();
  return [others.length, ...fields.map((field) => found?.[field])];
};

describe('When the database fails at a command of document 1,', () => {
  test('a user is registered once', () =>
    strike({
      on: ['users'],
      prepare: async () => newPerson(),
      send: (user) => acme.send('POST', '/v1/user/register-v2', user),
      doneBefore: '"reason"',
      holds: ({ phoneNumber }) => stored('users', { phoneNumber }, 'blocked'),
    }));

  test('a contact is kept once', () =>
    strike({
      on: ['contacts', 'users'],
      prepare: async () => ({ userId: await acme.newUser(), contact: payerOf() }),
      send: ({ userId, contact }) => acme.send('POST', `/v1/user/contacts/${userId}`, contact),
    }));

  test('a payout method is kept once', () =>
    strike({
      on: ['paymentMethods', 'users'],
      prepare: () => acme.newUser(),
      send: (userId) => acme.send('POST', `/v1/user/payment-methods/ubn/${userId}`, ACCOUNT),
    }));

  test('an operation of v2 is made once, and each provider does its part once', () =>
    strike({
      on: ['operations', 'uniqueValues', 'contacts', 'paymentMethods', 'users'],
      prepare: async () => {
        const userId = await acme.newUser();
        const body = {
          requestTo: newPhone(),
          correlationId: newReference(),
          recipientAmount: 20.1,
          recipientCurrency: 'MXN',
          destinationPaymentMethod: { type: 'UBN', ...ACCOUNT },
        };
        return { userId, body };
      },
      send: ({ userId, body }) => acme.send('POST', `/v1/user/operations/request-money-v2/${userId}`, body),
      doneBefore: 'correlationId',
      holds: async ({ body: { correlationId } }) => ({
        done: product.providers.done
          .filter(({ key }) => key.includes(correlationId))
          .map(({ service }) => service),
        operation: await stored('operations', { operationId: correlationId }, 'status'),
      }),
    }));
});

describe('When the database fails at a command of the own back end,', () => {
  test('a money request moves once, with its operation', () =>
    strike({
      on: ['moneyRequests', 'operations', 'uniqueValues'],
      prepare: async () => {
        const referenceId = newReference();
        expect((await createMoneyRequest(product.exchange, moneyRequestBody(referenceId))).status).toBe(201);
        return referenceId;
      },
      send: (referenceId) =>
        acme.send('PATCH', '/v1/internal/remittances/status', {
          partnerId: 'acme',
          referenceId,
          status: 'processing',
        }),
      holds: (referenceId) => stored('moneyRequests', { referenceId }, 'status', 'statusDetails'),
    }));

  test('an operation moves once, with its money request', () =>
    strike({
      on: ['moneyRequests', 'operations'],
      prepare: async () => {
        const referenceId = newReference();
        await createMoneyRequest(product.exchange, moneyRequestBody(referenceId));
        const update = { partnerId: 'acme', referenceId, status: 'processing' };
        const { operationId } = await acme.make<{ operationId: string }>(
          'PATCH',
          '/v1/internal/remittances/status',
          update,
        );
        return { referenceId, operationId };
      },
      send: ({ operationId }) =>
        acme.send('PATCH', `/v1/internal/operations/${operationId}/status`, {
          partnerId: 'acme',
          status: 'Failed',
        }),
      holds: async ({ referenceId, operationId }) => [
        await stored('moneyRequests', { referenceId }, 'status'),
        await stored('operations', { operationId }, 'status'),
      ],
    }));

  test('an identity check is kept once', () =>
    strike({
      on: ['users', 'links'],
      prepare: async () => (await acme.newLink()).userId,
      send: (userId) => acme.send('PATCH', `/v1/internal/users/${userId}/cip`, { status: 'verified' }),
      holds: (_id) => stored('users', { _id }, 'cipStatus'),
    }));
});

describe('When the database fails at a command of document 3,', () => {
  test('a link is created whole, and once for each call', () =>
    strike({
      on: ['links', 'linkActivities', 'users'],
      prepare: async () => ({ ...newLinkBody(), referenceId: (await acme.newLink()).referenceId }),
      send: (body) => acme.send('POST', '/partner/links', body),
      repeats: true,
    }));

  test('a link is opened once', () =>
    strike({
      on: ['links', 'linkActivities'],
      prepare: () => acme.newLink(),
      send: ({ linkId }) => acme.send('POST', `/v1/internal/links/${linkId}/open`),
      holds: ({ linkId }) => stored('links', { _id: linkId }, 'status'),
    }));

  test('a link is revoked once', () =>
    strike({
      on: ['links', 'linkActivities'],
      prepare: () => acme.newLink(),
      send: ({ linkId }) => acme.send('POST', `/partner/links/${linkId}/revoke`),
      doneBefore: 'LINK_ALREADY_REVOKED',
      holds: ({ linkId }) => stored('links', { _id: linkId }, 'status'),
    }));

  test('a ticket is made whole, and once for each call', () =>
    strike({
      on: ['links', 'linkActivities', 'cipTickets', 'users'],
      prepare: () => acme.newLink(),
      send: ({ linkId }) => acme.send('POST', '/partner/cip/tickets', { linkId }),
      repeats: true,
    }));

  test('a data request is raised whole, and once for each call', () =>
    strike({
      on: ['dataRequests', 'links', 'linkActivities'],
      prepare: () => acme.newLink(),
      send: ({ linkId }) =>
        acme.send('POST', '/v1/internal/data-requests', { partnerId: 'acme', linkId, fields: ['dob'] }),
      repeats: true,
    }));

  test('a data request is answered once', () =>
    strike({
      on: ['dataRequests', 'links', 'linkActivities'],
      prepare: () => acme.askData(),
      send: ({ dataRequestId, referenceId }) =>
        acme.send('PUT', `/partner/data-requests/${dataRequestId}`, {
          referenceId,
          userData: { dob: '1990-02-27' },
        }),
      doneBefore: 'DATA_REQUEST_ALREADY_FULFILLED',
      holds: ({ dataRequestId }) => stored('dataRequests', { _id: dataRequestId }, 'status'),
    }));

  test.each([
    ['blocked', 'block', false],
    ['unblocked', 'unblock', true],
  ])('a user is %s once', (_title, call, isBlocked) =>
    strike({
      on: ['users'],
      prepare: async () => {
        const { userId } = await acme.newLink();
        if (isBlocked) {
          await acme.make('POST', `/partner/users/${userId}/block`, {});
        }
        return userId;
      },
      send: (userId) => acme.send('POST', `/partner/users/${userId}/${call}`, {}),
      holds: (_id) => stored('users', { _id }, 'blocked'),
    }),
  );
});

describe('When the database fails at a command of a mutation,', () => {
  const mutation = (name: string) => {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
    return `mutation ($input: ${type}!) { done: ${name}(input: $input) { webhookEndpoint { id events } userErrors { code path } } }`;
  };
  const ADD = mutation('createWebhookEndpoint');
  const CHANGE = mutation('updateWebhookEndpoint');
  const DELETE = mutation('deleteWebhookEndpoint');
  const EVENTS = ['operation_created'];
  const on = ['tenants', 'webhookEndpoints'];
  const newUrl = () => `${product.deployment.receiver.url}/${newReference()}`;

  /** A tenant has a few endpoints at most: there is no other than this one. */
  async function onlyEndpoint(): Promise<{ id: string; url: string }> {
    await product.database.collection('webhookEndpoints').deleteMany({ accountId: 'acme/sandbox' });
    const url = newUrl();
    const { text } = await acme.graph(ADD, { input: { url } });
    expect(text).toContain('"userErrors":[]');
    const { done } = JSON.parse(text).data as { done: { webhookEndpoint: { id: string } } };
    return { id: done.webhookEndpoint.id, url };
  }

  test('an endpoint is added once', () =>
    strike({
      on,
      prepare: async () => {
        await product.database.collection('webhookEndpoints').deleteMany({ accountId: 'acme/sandbox' });
        return newUrl();
      },
      send: (url) => acme.graph(ADD, { input: { url } }),
      doneBefore: 'WEBHOOK_ENDPOINT_EXISTS',
    }));

  test('an endpoint is changed', () =>
    strike({
      on,
      prepare: onlyEndpoint,
      send: ({ id }) => acme.graph(CHANGE, { input: { id, events: EVENTS } }),
      holds: ({ id }) => stored('webhookEndpoints', { _id: id }, 'events'),
    }));

  test('an endpoint is deleted', () =>
    strike({
      on,
      prepare: onlyEndpoint,
      send: ({ id }) => acme.graph(DELETE, { input: { id } }),
      doneBefore: 'NOT_FOUND',
    }));
});

describe('When the database fails at a command of an administrator,', () => {
  const onBench = <Made>(call: Call<Made>) => strikeCall(product.proxy, direct(), call);
  /** The same database, past the proxy. */
  const direct = () => product.database.useDb(bench.connection.name, { useCache: true });
  const admin = (...args: string[]) => runAsCall(bench.deps, args);
  const newTenant = async () => {
    const id = `t-${newReference()}`;
    const created = await admin('tenant', 'create', '--id', id, '--name', 'Some', '--country', 'MX');
    expect(created.status).toBe(200);
    return id;
  };

  test('a tenant is made once', () =>
    onBench({
      on: ['tenants'],
      prepare: async () => `t-${newReference()}`,
      send: (id) => admin('tenant', 'create', '--id', id, '--name', 'Some', '--country', 'MX'),
      doneBefore: 'exists',
    }));

  test('a key is made once for each command', () =>
    onBench({
      on: ['tenants', 'apiKeys'],
      prepare: newTenant,
      send: (id) => admin('key', 'create', '--tenant', id, '--label', 'all'),
      repeats: true,
    }));

  test('a key is revoked', () =>
    onBench({
      on: ['apiKeys'],
      prepare: async () => {
        const created = await admin('key', 'create', '--tenant', await newTenant(), '--label', 'all');
        return String((JSON.parse(created.text) as { keyId: string }[])[0]?.keyId);
      },
      send: (id) => admin('key', 'revoke', '--id', id),
      holds: async (_id) => {
        const keys = direct().collection<{ _id: string; revokedAt?: Date }>('apiKeys');
        const found = await keys.findOne({ _id });
        return found?.revokedAt instanceof Date;
      },
    }));
});
