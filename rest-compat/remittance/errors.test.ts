import { describe, expect, test } from '@jest/globals';
import { CATALOGUE, type ErrorCode } from '../../subgraphs/kernel/errors/catalogue.ts';
import { REMITTANCE_ERROR_CODES } from '../../subgraphs/webhook-events/values.ts';
import { presentError, presentFailures, presentInternalError } from './errors.ts';

const failuresOf = (code: ErrorCode, message = 'Why.') => [{ code, message }];

describe('An error of document 1', () => {
  test.each([
    ['a 400 with codes', 'INVALID_NAME', 'coded', 400, '{"reason":"Why.","code":"INVALID_NAME"}'],
    ['a 400 without', 'INVALID_NAME', 'plain', 400, '{"reason":"Why."}'],
    ['a 403', 'USER_TENANT_MISMATCH', 'plain', 403, '{"reason":"Why."}'],
    ['a 404', 'ERROR_SUBSCRIBER_NOT_FOUND', 'coded', 404, '{"reason":"Why."}'],
    ['a 500 with a code of the graph', 'ERROR_INTERNAL_SERVER_ERROR', 'coded', 500, '{"reason":"Why."}'],
    ['a 413', 'PAYLOAD_TOO_LARGE', 'coded', 413, '{"reason":"Why."}'],
    ['a bad argument', 'BAD_USER_INPUT', 'plain', 400, '{"reason":"Why."}'],
  ] as const)('%s', (_what, code, shape, status, body) => {
    const answer = presentFailures(failuresOf(code), shape);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, body]);
    // Its code is in the body or, where the document has no place for it, in a header.
    expect(answer.headers).toEqual(body.includes('"code"') ? undefined : { 'x-error-code': code });
  });

  test.each(['UNAUTHENTICATED', 'FORBIDDEN'] as const)('%s is an invalid partner token', (code) => {
    const reason = CATALOGUE.ERROR_INVALID_PARTNER_TOKEN.message;
    expect(presentError(code, 'coded')).toEqual({
      status: 401,
      body: { reason, code: 'ERROR_INVALID_PARTNER_TOKEN' },
    });
    expect(presentError(code, 'plain')).toEqual({
      status: 401,
      body: { reason },
      headers: { 'x-error-code': 'ERROR_INVALID_PARTNER_TOKEN' },
    });
  });

  test('has the reason of the first of several failures', () => {
    const both = [...failuresOf('INVALID_NAME', 'First.'), ...failuresOf('INVALID_PHONE_NUMBER', 'Second.')];
    expect(presentFailures(both, 'plain').body).toEqual({ reason: 'First.' });
  });

  test('of the product itself has a fixed reason and no code', () => {
    expect(presentInternalError()).toEqual({
      status: 500,
      body: { reason: CATALOGUE.INTERNAL_SERVER_ERROR.message },
      headers: { 'x-error-code': 'INTERNAL_SERVER_ERROR' },
    });
    expect(presentFailures([], 'coded')).toEqual(presentInternalError());
  });

  test('has one of 28 codes, each with a status on this surface', () => {
    expect(new Set(REMITTANCE_ERROR_CODES).size).toBe(28);
    for (const code of REMITTANCE_ERROR_CODES) {
      expect([code, presentError(code, 'plain').status]).toEqual([code, CATALOGUE[code].status.remittance]);
    }
  });
});
