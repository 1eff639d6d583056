import 'reflect-metadata';
import { describe, expect, test } from '@jest/globals';
import { openApiDocuments } from '../../openapi.ts';
import { describeCalls } from './calls.ts';
import type { OpenApiOperation } from './document.ts';

const documents = openApiDocuments();
const operation = (id: string): OpenApiOperation => {
  const all = Object.values(documents).flatMap(({ paths }) => Object.values(paths).flatMap(Object.values));
  const found = all.find(({ operationId }) => operationId === id);
  if (!found) {
    throw new TypeError(`There is no ${id}`);
  }
  return found;
};
/** The statuses of a call whose answers have a header. */
const statusesWith = (id: string, header: string) =>
  Object.entries(operation(id).responses)
    .filter(([, { headers }]) => header in headers)
    .map(([status]) => status);

describe('the OpenAPI descriptions have', () => {
  test('the limits on answers to accepted calls and on 429, where calls have limits', () => {
    expect(statusesWith('createRequestMoney', 'ratelimit')).toEqual(['201', '429']);
    expect(statusesWith('getRequestMoney', 'ratelimit-policy')).toEqual(['200', '304', '429']);
    expect(statusesWith('openLink', 'ratelimit')).toEqual([]);
  });

  test('the tag of lookups, and 304 for it', () => {
    for (const id of ['getRequestMoney', 'getOperation', 'getUserTokenV2']) {
      expect([id, statusesWith(id, 'etag')]).toEqual([id, ['200', '304']]);
    }
    expect(statusesWith('createRequestMoney', 'etag')).toEqual([]);
  });

  test('the code of errors whose body has none', () => {
    expect(statusesWith('getRequestMoney', 'x-error-code')).toEqual(['401', '404']);
    expect(statusesWith('createRequestMoney', 'x-error-code')).toEqual(['401', '422']);
    const coded = statusesWith('requestMoneyFull', 'x-error-code');
    expect(coded).toEqual(['413', '415', '429', '500', '503']);
    expect(statusesWith('getOperation', 'x-error-code')).toEqual(['401', '404', '429', '500', '503']);
    expect(statusesWith('preQuoteLite', 'x-error-code')).toEqual([]);
  });

  test('the mark of a replay on creates with an Idempotency-Key, and on nothing else', () => {
    expect(statusesWith('createRequestMoney', 'idempotent-replayed')).toEqual(['201']);
    expect(JSON.stringify(documents).match(/"idempotent-replayed"/g)).toHaveLength(1);
  });
});

describe('a deprecated call', () => {
  const call = {
    ...({ method: 'GET', path: '/partner/things/:id', operationId: 'getThing', summary: 'A thing' } as const),
    answers: { 200: ['Thing', 'The thing'] },
  } as const;
  const surface = {
    ...{ tag: 'things', security: [], answers: {}, bodyAnswers: {}, uncoded: [] },
    pathParameters: { id: ['The id.'] as const },
  };
  const deprecation = {
    ...{ name: 'GET /partner/things/{id}', page: '/docs/upgrade#things' },
    ...{ deprecatedAt: '2026-12-01', sunsetAt: '2027-06-01' },
  };

  test('is marked, and its description has the dates and the page', () => {
    const paths = describeCalls([{ ...call, description: 'Any.' }], surface, [deprecation]);
    expect(paths['/partner/things/{id}']?.get).toMatchObject({
      deprecated: true,
      description: 'Any. Deprecated since 2026-12-01, and gone from 2027-06-01 on: see /docs/upgrade#things.',
    });
  });

  test('is not marked by the dates of another method', () => {
    const other = { ...deprecation, name: 'POST /partner/things/{id}' };
    const described = describeCalls([call], surface, [other])['/partner/things/{id}']?.get;
    expect(described).not.toHaveProperty('deprecated');
    expect(described).not.toHaveProperty('description');
  });
});
