import { describe, expect, test } from '@jest/globals';
import type { AccountId } from '../../kernel/account.ts';
import { createBlindIndex } from '../../kernel/crypto/blind-index.ts';
import type { PaymentMethodInput } from '../payment-method.ts';
import { createKeys } from './keys.ts';

const keys = createKeys(createBlindIndex(Buffer.alloc(32, 7)));
const UBN: PaymentMethodInput = { type: 'UBN', number: '032180000118359719', country: 'MX', currency: 'MXN' };

/** Stored records are found by these values: they may not change. */
test('known answers', () => {
  expect(keys.phone('acme/sandbox', '+525512345678')).toBe('GrrYU0a_iK1lxq7BbfqXm5E2J6lqXoqnI_rn6dOofcg');
  expect(keys.email('acme/sandbox', 'Ana@Example.com')).toBe('7SB-5BWrKkYSlfi1q1ZslvNVTVrVGZ_iWDM2CTkjhRo');
  expect(keys.names('acme/sandbox', ['ana'])).toEqual(['YMVfMKWB36O-DfM2Bh2VK3d_I21dG73WAWQ5g8x6mcc']);
  expect(keys.fingerprint('acme/sandbox', UBN)).toBe('kmEuE2MgWbJFOC3lkGIzyAB2gAyXovnmNEeJ7sH5zkk');
  // Of the keys by which providers know a call again.
  expect(keys.verification('acme/sandbox', UBN)).toBe('nE5XhBijOshoAygDMAgQkPSOclDUcse-eQBp1bi2adY');
  expect(keys.token('acme/sandbox', '4111111111111111')).toBe('tok_489de142f6df195d_1111');
});

test('letter case of an email does not count', () => {
  expect(keys.email('acme/sandbox', 'ANA@example.COM')).toBe(keys.email('acme/sandbox', 'ana@EXAMPLE.com'));
});

test('a person is found by the digest that is stored', () => {
  expect(keys.of('acme/sandbox', { phoneNumber: '+525512345678' })).toEqual({
    phoneKey: keys.phone('acme/sandbox', '+525512345678'),
  });
  expect(keys.of('acme/sandbox', { email: 'Ana@example.com' })).toEqual({
    emailKey: keys.email('acme/sandbox', 'ana@example.com'),
  });
});

describe('fingerprints', () => {
  const print = (changes: object, accountId: AccountId = 'acme/sandbox') =>
    keys.fingerprint(accountId, { ...UBN, ...changes } as PaymentMethodInput);

  test('spaces and letter case of a number do not count', () => {
    expect(print({ number: '0321 8000 0118 3597 19' })).toBe(print({}));
    expect(print({ number: 'gb29nwbk' })).toBe(print({ number: 'GB29 NWBK' }));
  });

  test.each([
    [{ type: 'DebitCard' }],
    [{ number: '032180000118359718' }],
    [{ country: 'US' }],
    [{ currency: 'USD' }],
    [{ type: 'CashPickup' }],
  ])('%j makes another', (changes) => {
    expect(print(changes)).not.toBe(print({}));
  });

  test('differ from tenant to tenant', () => {
    expect(print({}, 'globex/sandbox')).not.toBe(print({}));
  });
});
