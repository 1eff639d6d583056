import { expect, test } from '@jest/globals';
import { readHeaders, writeHeaders } from './own-headers.ts';

test('headers are read from a text with one on each line', () => {
  expect(readHeaders(' X-Key:  k3y:with: colons \n\n Authorization: Bearer t\n')).toEqual([
    { name: 'X-Key', value: 'k3y:with: colons' },
    { name: 'Authorization', value: 'Bearer t' },
  ]);
  expect(readHeaders(' \n')).toEqual([]);
  expect(readHeaders('X-Key')).toEqual([{ name: 'X-Key', value: '' }]);
});

test('headers whose values are not known have a place for each value', () => {
  expect(writeHeaders(['X-Key', 'X-Tenant'])).toBe('X-Key: \nX-Tenant: ');
  expect(readHeaders(writeHeaders(['X-Key']))).toEqual([{ name: 'X-Key', value: '' }]);
  expect(writeHeaders([])).toBe('');
});
