import { expect, test } from '@jest/globals';
import { failRequest } from '../../engine/index.ts';
import { statusOf } from './media-type.ts';

test.each([
  ['QUERY_NOT_IN_SAFELIST', 403],
  ['PERSISTED_QUERY_NOT_FOUND', 400],
  ['TOKEN_LIMIT_EXCEEDED', 400],
  ['COST_LIMIT_EXCEEDED', 422],
  ['UNSUPPORTED_OPERATION', 422],
  ['INTERNAL_SERVER_ERROR', 500],
  ['OPERATION_TIMEOUT', 504],
])('a result without data has the status of %s, and 200 for older clients', (code, status) => {
  const result = failRequest(code, 'No.');
  expect(statusOf(result, 'application/graphql-response+json')).toBe(status);
  expect(statusOf(result, 'application/json')).toBe(200);
});

test('data that is null is a partial success when execution failed', () => {
  const { errors } = failRequest('INTERNAL_SERVER_ERROR', 'No.');
  expect(statusOf({ data: null, errors }, 'application/graphql-response+json')).toBe(294);
});
