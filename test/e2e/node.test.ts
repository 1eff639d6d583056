import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, exchangeWith } from '../support/http.ts';
import {
  createMoneyRequest,
  moneyRequestBody,
  newReference,
  queryGraph,
  updateStatus,
} from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { MOSTLY_ALL } from '../support/server.ts';
import { until } from '../support/until.ts';

const ACCEPT = `mutation ($input: RequestMoneyFullInput!) {
  requestMoneyFull(input: $input) { remittance { correlationId } userErrors { code message } }
}`;
const INPUT = {
  requester: {
    phoneNumber: '+525512000001',
    firstName: 'Ana',
    lastName: 'Ruiz',
    address1: 'Reforma 1',
    countryCode: 'MX',
    city: 'CDMX',
    state: 'MX-CMX',
  },
  request: {
    recipientCurrency: 'MXN',
    recipientAmount: '1500.50',
    destinationPaymentMethod: {
      type: 'DEBIT_CARD',
      number: '4111111111111111',
      nameOnCard: 'Ana Ruiz',
      expirationDate: '1249',
      country: 'MX',
      currency: 'MXN',
    },
    correlationId: 'corr-1',
    requestTo: { phoneNumber: '+12125550123', firstName: 'Bob', lastName: 'Roe', countryCode: 'US' },
  },
};
const CREATE_LINK = `mutation ($input: CreateLinkInput!) { createLink(input: $input) { link { id } } }`;
const ALL = `query ($referenceId: String!) {
  remittance(correlationId: "corr-1") {
    nodeId __typename
    operation { nodeId __typename }
    user {
      nodeId __typename
      contacts { nodes { nodeId __typename } } paymentMethods { nodes { nodeId __typename } }
    }
  }
  requestMoney(referenceId: $referenceId) { nodeId __typename user { links { nodes { nodeId __typename } } } }
  webhookDeliveries(first: 1) { nodes { nodeId __typename } }
}`;
const NODE = `query ($id: ID!) { node(id: $id) {
  __typename nodeId
  ... on Operation { id operationStatus: status user { firstName } link { id } }
  ... on User { id firstName links { totalCount } }
  ... on Link { id flow user { firstName } }
  ... on RequestMoney { referenceId status }
  ... on Remittance { correlationId phase }
  ... on Contact { id phoneNumber }
  ... on PaymentMethod { id number }
  ... on WebhookDelivery { id event attempts { number } }
} }`;

interface Named {
  readonly nodeId: string;
  readonly __typename: string;
}

/** Every object with a nodeId, at whatever depth. */
function namedIn(value: unknown): Named[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const below = Object.values(value).flatMap(namedIn);
  return 'nodeId' in value ? [value as Named, ...below] : below;
}

describe.each(MOSTLY_ALL)('node, %s', (arrangement) => {
  const scene = useScene();
  let exchange: Exchange;
  let named: Map<string, string>;
  const referenceId = newReference();
  beforeAll(async () => {
    const deployment = await scene.deploy({ arrangement, env: { PIPELINE_SWEEP_SECONDS: '1' } });
    exchange = exchangeWith((await deployment.start()).url);
    expect((await queryGraph(exchange, ACCEPT, { input: INPUT })).errors).toBeUndefined();
    await createMoneyRequest(exchange, moneyRequestBody(referenceId));
    await updateStatus(exchange, { referenceId, status: 'processing' });
    await queryGraph(exchange, CREATE_LINK, { input: { flow: 'CIP', referenceId: 'u-77' } });
    await until('the remittance is an operation', async () => {
      const { data } = await queryGraph<{ remittance: { operation: object | null } }>(exchange, ALL, {
        referenceId,
      });
      named = new Map(namedIn(data).map(({ __typename, nodeId }) => [__typename, nodeId]));
      return data?.remittance.operation != null;
    });
  });

  const TYPES = [
    'Contact',
    'Link',
    'Operation',
    'PaymentMethod',
    'Remittance',
    'RequestMoney',
    'User',
    'WebhookDelivery',
  ];
  const send = (id: string | undefined, key?: string) =>
    queryGraph<{ node: Record<string, unknown> | null }>(exchange, NODE, { id }, key);

  test('every entity has an id of its own', () => {
    expect([...named.keys()].toSorted()).toEqual(TYPES);
    expect(new Set(named.values()).size).toBe(TYPES.length);
  });

  test.each(TYPES)('%s is found by it, whatever subgraph its fields are of', async (type) => {
    const { data, errors } = await send(named.get(type));
    expect(errors).toBeUndefined();
    expect(data?.node).toMatchObject({ __typename: type, nodeId: named.get(type) });
    const { __typename: _, nodeId: __, ...fields } = data?.node ?? {};
    expect(Object.values(fields).length).toBeGreaterThan(1);
  });

  test('its fields come along', async () => {
    expect((await send(named.get('User'))).data?.node).toMatchObject({ firstName: 'Ana' });
    expect((await send(named.get('RequestMoney'))).data?.node).toMatchObject({ referenceId });
    expect((await send(named.get('Link'))).data?.node).toMatchObject({
      flow: 'CIP',
      user: { firstName: 'Ana' },
    });
    expect((await send(named.get('Operation'))).data?.node).toMatchObject({
      id: 'corr-1',
      user: { firstName: 'Ana' },
      link: null,
    });
  });

  test.each(TYPES)('%s of another partner is null, like one that is not there', async (type) => {
    const nothing = { status: 200, data: { node: null } };
    expect(await send(named.get(type), KEYS.globex)).toEqual(nothing);
    expect(await send(Buffer.from(`${type}:nobody`).toString('base64url'))).toEqual(nothing);
  });

  test.each(['', 'x', 'User:1', Buffer.from('Money:1').toString('base64url'), '%%%'])(
    'an id that names nothing is null: %j',
    async (id) => {
      expect(await send(id)).toEqual({ status: 200, data: { node: null } });
    },
  );

  test('a key without scope gets nothing of it', async () => {
    const { data, errors } = await send(named.get('User'), KEYS.acmeBare);
    expect([data, errors?.[0]?.extensions?.code]).toEqual([{ node: null }, 'FORBIDDEN']);
  });
});
