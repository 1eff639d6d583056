import { describe, expect, test } from '@jest/globals';
import {
  subjectsOfBody,
  subjectsOfParams,
  subjectsOfPayloads,
  subjectsOfVariables,
} from './request-subjects.ts';

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

describe('The records that a request is about', () => {
  test("are read from its path, except for a user's token", () => {
    expect(subjectsOfParams({ referenceId: 'AB12cd34', userToken: 'usr_1' })).toEqual(['AB12cd34']);
    expect(subjectsOfParams(undefined)).toEqual([]);
  });

  test('are read from the variables of its operation, or from their input', () => {
    expect(
      subjectsOfVariables({ id: 'o1', input: { linkId: 'lnk_1', request: { correlationId: 'c1' } } }),
    ).toEqual(['o1', 'lnk_1', 'c1']);
    expect(subjectsOfVariables(null)).toEqual([]);
  });

  test('are read from its body, if that is JSON and not large', () => {
    expect(subjectsOfBody(bytes({ referenceId: 'AB12cd34', request: { correlationId: 'c1' } }))).toEqual([
      'AB12cd34',
      'c1',
    ]);
    expect(subjectsOfBody(Buffer.from('{'))).toEqual([]);
    expect(subjectsOfBody(bytes({ referenceId: 'AB12cd34', more: 'x'.repeat(65_536) }))).toEqual([]);
    expect(subjectsOfBody({ referenceId: 'AB12cd34' })).toEqual([]);
  });

  test('are read from the payloads of a mutation', () => {
    expect(
      subjectsOfPayloads({
        a: { remittance: { correlationId: 'c1', user: { id: 'usr_1' } }, userErrors: [] },
        b: { link: { id: 'lnk_1' }, userErrors: null },
        c: null,
      }),
    ).toEqual(['c1', 'lnk_1']);
  });

  test.each([
    ['a name', 'Ana Ruiz'],
    ['an email', 'ana@ruiz.test'],
    ['a phone', '+5255123'],
    ['a number of 10 digits', '55-1234-5678'],
    ['a text', 'x'.repeat(129)],
    ['an object', { id: 'x' }],
    ['nothing', ''],
  ])('are no %s that stands in the place of an id', (_what, id) => {
    expect(subjectsOfParams({ id })).toEqual([]);
  });

  test('are found quickly for every id', () => {
    const ids = [`${'1'.repeat(30)}a`, `${'1-'.repeat(30)}a`];
    const before = process.cpuUsage().user;
    expect(ids.flatMap((id) => subjectsOfParams({ id }))).toEqual(ids);
    expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
  });
});
