import { expect, test } from '@jest/globals';
import { createFill } from './fill.ts';

test.each([
  ['2026-11-21', '{date 18y}', '2008-11-21'],
  ['2026-11-21', '{date 18y +1d}', '2008-11-22'],
  ['2026-11-21', '{date 100y -1d}', '1926-11-20'],
  ['2028-02-29', '{date 18y} {date 18y +1d}', '2010-02-28 2010-03-01'],
  ['2028-02-29', '{date 100y}', '1928-02-29'],
  ['2026-02-28', '{date 18y +1d}', '2008-02-29'],
  ['2026-12-31', '{mmyy}', '1226'],
  ['2026-12-31', '{mmyy +1m} {mmyy -1m}', '0127 1126'],
  ['2027-01-31', '{mmyy -1m}', '1226'],
])('on %s, %s is %s', (day, place, value) => {
  expect(createFill(new Date(`${day}T12:00:00Z`))(place)).toBe(value);
});

test('the places of a case keep their values, those of another case have others', () => {
  const fill = createFill();
  expect(fill('{ref}{phone}')).toBe(fill('{ref}{phone}'));
  expect(fill('{ref}')).not.toBe(createFill()('{ref}'));
  expect(fill('+{digits}')).toBe(fill('{phone}'));
  expect(fill('{phone}').endsWith(fill('{last10}'))).toBe(true);
  expect(fill('{a*3}')).toBe('aaa');
});
