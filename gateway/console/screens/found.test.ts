import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type FoundNode, foundOf } from './found.ts';

const user = { id: 'usr_1' };
const amount = { amount: '1', currency: 'MXN' };
const createdAt = '2026-11-26T10:00:00.000Z';
const RECORDS: readonly (readonly [node: FoundNode, text: string, href: string])[] = [
  [
    {
      __typename: 'Operation',
      id: 'a/b?c',
      code: 'ABC123',
      operationStatus: 'SENT',
      recipient: amount,
      createdAt,
    },
    'ABC123',
    '/console/operations/a%2Fb%3Fc',
  ],
  [
    { __typename: 'RequestMoney', referenceId: 'ab12cd34', requestStatus: 'PENDING', amount, createdAt },
    'ab12cd34',
    '/console/money-requests/ab12cd34',
  ],
  [
    {
      __typename: 'Remittance',
      correlationId: 'call 1',
      remittanceStatus: 'FAILED',
      recipient: amount,
      createdAt,
    },
    'call 1',
    '/console/atomic-calls/call%201',
  ],
  [
    {
      __typename: 'Reservation',
      correlationId: 'call 2',
      reservationStatus: 'IN_PROGRESS',
      recipient: amount,
      createdAt,
    },
    'call 2',
    '/console/requests-by-v2/call%202',
  ],
  [
    { __typename: 'User', id: 'usr_1', userReferenceId: 'u-77', firstName: 'Ana', lastName: 'Ruiz' },
    'Ana Ruiz · u-77',
    '/console/users/usr_1',
  ],
  [
    { __typename: 'User', id: 'usr_1', userReferenceId: 'u-77', firstName: null, lastName: null },
    'u-77',
    '/console/users/usr_1',
  ],
  [
    { __typename: 'User', id: 'usr_1', userReferenceId: null, firstName: null, lastName: null },
    'usr_1',
    '/console/users/usr_1',
  ],
  [
    { __typename: 'Contact', id: 'con_1', nodeId: 'Q29u+/=', user },
    'con_1',
    '/console/users/usr_1?found=Q29u%2B%2F%3D',
  ],
  [
    { __typename: 'PaymentMethod', id: 'pm_1', nodeId: 'UGF5', user },
    'pm_1',
    '/console/users/usr_1?found=UGF5',
  ],
  [{ __typename: 'Link', id: 'lnk_1', linkStatus: 'CREATED' }, 'lnk_1', '/console/links/lnk_1'],
  [
    {
      __typename: 'WebhookDelivery',
      id: 'whd_1',
      event: 'operation.completed',
      deliveryStatus: 'PENDING',
      failure: null,
    },
    'operation.completed',
    '/console/webhooks/whd_1',
  ],
];

describe('The results of a search', () => {
  test.each(RECORDS)('%j is known and shown', (node, text, href) => {
    expect(foundOf(node)).toEqual({ text, href });
  });

  test('is shown for every type that has a nodeId', () => {
    const types = [...readFileSync('schema/api.graphql', 'utf8').matchAll(/^type (\w+) implements Node\b/gm)];
    const known = new Set<string>(RECORDS.map(([node]) => node.__typename));
    expect([...known].sort()).toEqual(types.map(([, name]) => name).sort());
  });
});
