import { describe, expect, test } from '@jest/globals';
import { type Deprecation, parseDeprecations } from '../deprecations.ts';
import { deprecationIssues } from './deprecations.ts';
import type { JsonNode } from './nodes.ts';

const TODAY = '2027-01-15';
const SDL = `
  type Query { new: Int old: Int @deprecated(reason: "Use new.") sized(size: Int @deprecated(reason: "x")): Int }
  interface Named { name: String @deprecated(reason: "x") }
  enum Order { NEW OLD @deprecated(reason: "x") }
  input Where { id: ID ref: ID @deprecated(reason: "x") }
`;
const FIELDS = ['Query.old', 'Query.sized(size:)', 'Named.name', 'Order.OLD', 'Where.ref'];
const NAMES = [...FIELDS, 'GET /v1/a/{id}', 'event version 1'];
const EVENTS = { info: { 'x-event-versions': [{ version: 1, sunsetAt: '2027-06-01' }, { version: 2 }] } };
const OPENAPI = [{ paths: { '/v1/a/{id}': { get: { deprecated: true }, post: {} } } }];

const dates = (name: string, sunsetAt = '2027-06-01'): Deprecation => ({
  ...{ name, deprecatedAt: '2026-12-01', sunsetAt },
  page: '/docs/upgrade',
});
const ALL = NAMES.map((name) => dates(name));

interface Given {
  readonly sdl?: string;
  readonly openApi?: typeof OPENAPI | [];
  readonly events?: JsonNode;
  readonly present?: readonly Deprecation[];
  readonly released?: readonly Deprecation[];
}

function issues({ sdl = SDL, openApi = OPENAPI, events = EVENTS, present = ALL, released = ALL }: Given) {
  return deprecationIssues({ sdl, openApi, events }, { present, released, today: TODAY });
}

/** Without the field that is deprecated, and without its dates. */
const withoutOld = {
  sdl: SDL.replace(' old: Int @deprecated(reason: "Use new.")', ''),
  present: ALL.filter(({ name }) => name !== 'Query.old'),
};

describe('deprecations are well', () => {
  test('if each has dates, before and after the first release', () => {
    expect(issues({})).toEqual([]);
    expect(issues({ released: [] })).toEqual([]);
  });

  test.each(['2027-01-15', '2027-01-14'])('if a field is gone from its sunset on: %s', (sunsetAt) => {
    expect(issues({ ...withoutOld, released: [dates('Query.old', sunsetAt)] })).toEqual([]);
  });

  test('if a sunset moves to a later date, or a deprecation is taken back', () => {
    expect(issues({ released: [dates('Query.old', '2027-05-01')] })).toEqual([]);
    expect(issues({ ...withoutOld, sdl: SDL.replace('@deprecated(reason: "Use new.")', '') })).toEqual([]);
  });
});

describe('an issue is', () => {
  test.each(NAMES)('a deprecation without dates: %s', (missing) => {
    expect(issues({ present: ALL.filter(({ name }) => name !== missing) })).toEqual([
      `${missing} is deprecated, but has no dates`,
    ]);
  });

  test.each([
    ['Query.new', 'is not deprecated'],
    ['POST /v1/a/{id}', 'is not deprecated'],
    ['event version 2', 'is not deprecated'],
    ['event version 3', 'is gone'],
    ['Query.unknown', 'is gone'],
    ['GET /v1/b', 'is gone'],
  ])('a date without a deprecation: %s', (name, reason) => {
    expect(issues({ present: [...ALL, dates(name)] })).toEqual([`${name} has dates, but ${reason}`]);
  });

  test('a field, a call or a version of events that is gone before its sunset', () => {
    expect(issues({ ...withoutOld, released: [dates('Query.old', '2027-01-16')] })).toEqual([
      'Query.old is gone before its sunset on 2027-01-16',
    ]);
    const present = ALL.filter(({ name }) => name !== 'GET /v1/a/{id}');
    expect(issues({ openApi: [], present })).toEqual([
      'GET /v1/a/{id} is gone before its sunset on 2027-06-01',
    ]);
    const events = { info: { 'x-event-versions': [{ version: 2 }] } };
    expect(issues({ events, present: ALL.filter(({ name }) => name !== 'event version 1') })).toEqual([
      'event version 1 is gone before its sunset on 2027-06-01',
    ]);
  });

  test('a sunset that moves to an earlier date', () => {
    expect(issues({ released: [dates('Query.old', '2027-06-02')] })).toEqual([
      'the sunset of Query.old was announced for 2027-06-02, not for 2027-06-01',
    ]);
  });
});

describe('the file of dates', () => {
  const entry = dates('Query.old');

  test('is a list of names with dates and a page', () => {
    expect(parseDeprecations(JSON.stringify([entry]))).toEqual([entry]);
  });

  test.each([
    ['a text that is no date', { ...entry, sunsetAt: 'soon' }, 'must be a date such as 2026-12-01'],
    ['a day that does not exist', { ...entry, sunsetAt: '2027-02-30' }, 'must be a date such as 2026-12-01'],
    ['a sunset that is not later', { ...entry, sunsetAt: entry.deprecatedAt }, 'sunsetAt must be after'],
    ['no date', { ...entry, deprecatedAt: undefined }, 'deprecatedAt'],
    ['a page elsewhere', { ...entry, page: 'https://x.test' }, 'must be an address of the documentation'],
    ['another property', { ...entry, reason: 'x' }, 'reason'],
  ])('rejects %s', (_what, changed, message) => {
    expect(() => parseDeprecations(JSON.stringify([changed]))).toThrow(message);
  });

  test('rejects a name that stands there twice', () => {
    expect(() => parseDeprecations(JSON.stringify([entry, entry]))).toThrow('has a name twice');
  });
});
