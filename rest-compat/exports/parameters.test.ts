import { expect, test } from '@jest/globals';
import { readExportParameters } from './parameters.ts';

const KNOWN = {
  status: 'texts',
  'createdAt.gte': 'text',
  'createdAt.lt': 'text',
  currency: 'text',
  isStuck: 'boolean',
} as const;

test('parameters become the filter of the list', () => {
  const query = { status: 'SENT', 'createdAt.gte': 'a', 'createdAt.lt': 'b', currency: 'MXN' };
  expect(readExportParameters({ ...query, after: 'c', limit: '7' }, KNOWN)).toEqual({
    where: { status: ['SENT'], createdAt: { gte: 'a', lt: 'b' }, currency: 'MXN' },
    after: 'c',
    limit: 7,
  });
  expect(readExportParameters({ status: ['SENT', 'FAILED'] }, KNOWN)).toMatchObject({
    where: { status: ['SENT', 'FAILED'] },
  });
  expect(readExportParameters({ isStuck: 'false' }, KNOWN)).toMatchObject({ where: { isStuck: false } });
  expect(readExportParameters({ after: "'-c" }, KNOWN)).toMatchObject({ after: '-c' });
  expect(readExportParameters({}, KNOWN)).toEqual({ where: {}, after: null, limit: 100_000 });
});

test.each<[object, RegExp]>([
  [{ statuses: 'SENT' }, /no parameter statuses/],
  [{ createdAt: 'a' }, /no parameter createdAt/],
  [{ 'createdAt.gte.x': 'a' }, /no parameter/],
  [{ __proto__x: 'a' }, /no parameter/],
  [{ currency: ['MXN', 'USD'] }, /currency may come once/],
  [{ isStuck: 'yes' }, /isStuck takes true or false/],
  [{ toString: 'x' }, /no parameter toString/],
  [{ after: ['a', 'b'] }, /after may come once/],
  ...['0', '100001', '-1', '1.5', '1e3', ' 1', ''].map((limit): [object, RegExp] => [
    { limit },
    /limit takes/,
  ]),
  [{ limit: ['1', '2'] }, /limit takes/],
])('%p is not taken', (query, issue) => {
  expect(readExportParameters(query as Record<string, unknown>, KNOWN)).toMatch(issue);
});
