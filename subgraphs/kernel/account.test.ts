import { expect, test } from '@jest/globals';
import { accountOf, accountsOf, environmentOf, partsOf, tenantOf } from './account.ts';

test('an account is a partner in an environment', () => {
  expect(accountOf('acme', 'live')).toBe('acme/live');
  expect(partsOf('acme/live')).toEqual({ tenantId: 'acme', environment: 'live' });
  expect(accountsOf(['a', 'b'])).toEqual(['a/sandbox', 'a/live', 'b/sandbox', 'b/live']);
  expect([tenantOf('a-b_c/sandbox'), environmentOf('a-b_c/sandbox')]).toEqual(['a-b_c', 'sandbox']);
});
