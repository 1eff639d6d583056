import { expect, test } from '@jest/globals';
import { subjectOf } from './subject.ts';

test.each<[string, object, ReturnType<typeof subjectOf>]>([
  [
    'the outcome of an atomic call',
    { eventType: 'request_money_full_outcome', correlationId: 'call-1', operationId: 'call-1', userId: 'u' },
    { kind: 'remittance', id: 'call-1' },
  ],
  [
    'a change of a money request',
    { event: 'operation_created', data: { referenceId: 'AB12CD34', operationId: 'o' } },
    { kind: 'request_money', id: 'AB12CD34' },
  ],
  [
    'a data request, which also has the reference of its user',
    { event: 'user.data_request', data: { dataRequestId: 'dr_1', referenceId: 'u-77', linkId: 'l-1' } },
    { kind: 'link', id: 'l-1' },
  ],
  ['a test', { event: 'test', data: { partnerId: 'acme', test: true } }, undefined],
  ['a body of another form', { data: [] }, undefined],
])('The subject of a webhook is read from %s', (_of, body, subject) => {
  expect(subjectOf(JSON.stringify(body))).toEqual(subject);
});

test('A text that is not JSON has no subject', () => {
  expect(subjectOf('')).toBeUndefined();
});
