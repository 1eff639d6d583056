import { expect, test } from '@jest/globals';
import { readText } from '../contract/fixture.ts';
import { COPIES, inCopy, isForOneRun } from './copies.ts';

/** A case of one call. */
function caseOf(path: string, headers: Record<string, string>, body: string) {
  const lines = Object.entries(headers).map(([name, value]) => `> ${name}: ${value}`);
  return readText(['### A case', `> GET ${path}`, ...lines, '', '< 200', body].join('\n'), 'example')[0]!;
}

test.each([
  [
    'a tenant',
    '/partner/me',
    { 'X-API-Key': 'raas_sandbox_wayne_full' },
    '{"partnerId":"wayne"}',
    '{"partnerId":"wayne-2"}',
  ],
  ['an id', '/v1/request-money/AB12cd34', {}, '{"id":"AB12cd34"}', '{"id":"AB12cd3b"}'],
  ['an escaped id', '/v1/request-money/%45sc%312cd3', {}, '{"id":"Esc12cd3"}', '{"id":"Esc12cdb"}'],
])('a case that has %s to itself has another one in each copy', (_what, path, headers, body, expected) => {
  const one = caseOf(path, headers, body);
  expect(isForOneRun(one)).toBe(true);
  expect(inCopy(1, one)).toBe(one);
  const { request, body: template } = inCopy(2, one).steps[0]!;
  expect(template).toBe(expected);
  expect({ path: request.path, headers: request.headers }).not.toEqual({ path, headers });
  expect(() => inCopy(COPIES + 1, one)).toThrow('cannot be run');
});

test('every other case is itself, as often as it is run', () => {
  const one = caseOf('/v1/request-money/{ref}', { 'X-API-Key': 'raas_sandbox_acme_full' }, '{"id":"{ref}"}');
  expect(isForOneRun(one)).toBe(false);
  expect(inCopy(COPIES + 1, one)).toBe(one);
});
