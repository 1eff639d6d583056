import { expect, test } from '@jest/globals';
import { maskBody } from './mask-body.ts';

test('shows ids, states and sums, and nothing that names people', () => {
  const data = {
    ...{ partnerId: 'acme', referenceId: 'AB12cd34', amount: 1500.5, currency: 'MXN', status: 'pending' },
    userReferenceId: 'ana@mail.test',
    waLink: 'https://wa.me/?text=Ana',
    requestData: { name: { firstName: 'Ana' }, id: 'PASS1' },
    id: { nested: 'Ana' },
  };
  const body = JSON.stringify({ event: 'operation_created', data, timestamp: '2026-11-21T08:00:00.000Z' });
  expect(JSON.parse(maskBody(body))).toEqual({
    event: 'operation_created',
    data: {
      ...{ partnerId: 'acme', referenceId: 'AB12cd34', amount: 1500.5, currency: 'MXN', status: 'pending' },
      ...{ userReferenceId: '…', waLink: '…', requestData: '…', id: '…' },
    },
    timestamp: '2026-11-21T08:00:00.000Z',
  });
});

test.each([
  '',
  'no JSON',
  '[]',
  'null',
  '{"userId":"u1"}',
  '{"event":"x","data":["Ana"]}',
  '{"event":1,"data":{}}',
])('masks a body as a whole that is no envelope: %j', (body) => {
  expect(maskBody(body)).toBe('…');
});
