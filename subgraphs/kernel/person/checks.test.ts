import { describe, expect, test } from '@jest/globals';
import { isAdult, isDate, isStateOf, readDate } from './checks.ts';

describe('dates', () => {
  test.each([
    ['1990-02-28', '1990-02-28'],
    ['2000-02-29', '2000-02-29'],
    ['1990-02-28T00:00:00Z', '1990-02-28'],
    ['1990-02-28T23:30:00.123-06:00', '1990-02-28'],
    ['1990-02-28T00:30:00+0200', '1990-02-28'],
    ['1990-02-28T23:30', '1990-02-28'],
  ])('%s names %s, as it is written', (text, date) => {
    expect(readDate(text)).toBe(date);
  });

  test.each([
    '1990-02-29',
    '1900-02-29',
    '1990-04-31',
    '1990-13-01',
    '1990-00-10',
    '1990-01-00',
    '1990-02-30T10:00:00Z',
    '1990-02-28T25:00:00Z',
    '1990-02-28T10:61:00Z',
    '1990-02-28 10:00:00',
    '19900228',
    '28/02/1990',
    '1990-2-8',
    '+001990-02-28',
    ' 1990-02-28',
    '1990-02-28\n',
    '',
    19_900_228,
    null,
    undefined,
  ])('%j is none', (text) => {
    expect(readDate(text)).toBeUndefined();
  });

  test('nobody is born in the year 0', () => {
    expect(isDate('0000-02-30')).toBe(false);
  });
});

describe('age on the UTC day', () => {
  const adult = (born: string, now: string) => isAdult(born, new Date(now));

  test.each([
    ['18 today', '2008-11-21', true],
    ['18 tomorrow', '2008-11-22', false],
    ['17', '2009-11-21', false],
    ['18 yesterday', '2008-11-20', true],
    ['99', '1927-11-21', true],
    ['100 tomorrow', '1926-11-22', true],
    ['100 today', '1926-11-21', false],
    ['100 yesterday', '1926-11-20', false],
    ['born tomorrow', '2026-11-22', false],
    ['born in the year 26', '0026-11-21', false],
  ])('%s', (_what, born, isOne) => {
    expect(adult(born, '2026-11-21T00:00:00.000Z')).toBe(isOne);
    expect(adult(born, '2026-11-21T23:59:59.999Z')).toBe(isOne);
  });

  test.each([
    ['28 February of a common year: not yet 18', '2028-02-28T23:59:59.999Z', '2010-03-01', false],
    ['born on 29 February, on 28 February 18 years later', '2026-02-28T23:59:59.999Z', '2008-02-29', false],
    ['born on 29 February, on 1 March 18 years later', '2026-03-01T00:00:00.000Z', '2008-02-29', true],
    ['born on 29 February, 99 on the last day', '2028-02-29T00:00:00.000Z', '1928-02-29', false],
    ['born on 29 February, 99 the day before 100', '2028-02-28T23:59:59.999Z', '1928-02-29', true],
    ['born on 1 March, 18 in a leap year', '2028-02-29T23:59:59.999Z', '2010-03-01', false],
    ['born on 1 March, 18 in a leap year, a day later', '2028-03-01T00:00:00.000Z', '2010-03-01', true],
    ['born on 31 December', '2026-12-31T00:00:00.000Z', '2008-12-31', true],
    ['born on 31 December, a millisecond early', '2026-12-30T23:59:59.999Z', '2008-12-31', false],
  ])('%s', (_what, now, born, isOne) => {
    expect(adult(born, now)).toBe(isOne);
  });
});

describe('states', () => {
  test.each([
    ['MX-CMX', 'MX'],
    ['US-CA', 'US'],
    ['AR-B', 'AR'],
    ['GB-ENG', 'GB'],
    ['CDMX', 'MX'],
    ['Jalisco', 'MX'],
    ['jalisco-centro', 'MX'],
  ])('%s may be of %s', (state, country) => {
    expect(isStateOf(state, country)).toBe(true);
  });

  test.each([
    ['of another country', 'US-CA', 'MX'],
    ['of none', 'MX-ZZZ', 'MX'],
    ['of an unknown country', 'ZZ-ABC', 'ZZ'],
  ])('a code %s may not', (_what, state, country) => {
    expect(isStateOf(state, country)).toBe(false);
  });
});
