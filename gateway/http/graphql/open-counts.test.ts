import { expect, test } from '@jest/globals';
import { accountOf } from '../../../subgraphs/kernel/account.ts';
import { countOfPartners } from './open-counts.ts';

const of = (keyId: string, tenantId = 'acme', environment: 'sandbox' | 'live' = 'sandbox') => ({
  keyId,
  accountId: accountOf(tenantId, environment),
});

test('a key has a limit of open items, and all keys of a partner have twice that, in each environment', () => {
  const counts = countOfPartners(2, 2);
  const opened = ['a', 'a', 'a', 'b', 'b', 'c'].map((keyId) => counts.open(of(keyId)));
  expect(opened.map((close) => close !== undefined)).toEqual([true, true, false, true, true, false]);
  expect(counts.open(of('d', 'globex'))).toBeDefined();
  expect(counts.open(of('e', 'acme', 'live'))).toBeDefined();
});

test('an item makes room for one when it closes, even if it is closed twice', () => {
  const counts = countOfPartners(1, 2);
  const close = counts.open(of('a'));
  expect(counts.open(of('b'))).toBeDefined();
  expect(counts.open(of('c'))).toBeUndefined();
  close?.();
  close?.();
  expect(counts.open(of('c'))).toBeDefined();
  expect(counts.open(of('d'))).toBeUndefined();
});
