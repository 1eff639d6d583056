import { expect, test } from '@jest/globals';
import { fitLine, judgeTrend } from './trend.ts';

const points = (...values: number[]) => values.map((value, index) => ({ at: index * 60, value }));

test('the line through points on a line has their slope, and no error', () => {
  const { slope, error } = fitLine(points(1, 7, 13, 19));
  expect(slope).toBeCloseTo(0.1);
  expect(error).toBeCloseTo(0);
});

test.each<[string, number[], number, string]>([
  ['rises through its noise', [100, 111, 119, 131, 140, 149], 2, 'rising'],
  ['falls through its noise', [149, 140, 131, 119, 111, 100], 2, 'falling'],
  ['goes up and down', [100, 130, 95, 128, 103, 126], 2, 'flat'],
  ['rises by less than counts', [100, 100.1, 100.2, 100.3], 2, 'flat'],
  ['stays as it is', [30, 30, 30, 30], 2, 'flat'],
  ['is not reported', [30, Number.NaN, 30, 30], 2, 'unknown'],
  ['is known twice', [30, 60], 2, 'unknown'],
])('a value that %s is judged', (_name, values, least, trend) => {
  expect(judgeTrend(points(...values), least)).toBe(trend);
});
