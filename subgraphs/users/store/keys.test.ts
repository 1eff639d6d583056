import { describe, expect, test } from '@jest/globals';
import { createBlindIndex } from '../../kernel/crypto/blind-index.ts';
import type { PaymentMethodInput } from '../payment-method.ts';
import { createKeys } from './keys.ts';

const keys = createKeys(createBlindIndex(Buffer.alloc(32, 7)));
const UBN: PaymentMethodInput = { type: 'UBN', number: '032180000118359719', country: 'MX', currency: 'MXN' };

/** Stored records are found by these values: they may not change. */
test('known answers', () => {
  expect(keys.phone('acme', '+525512345678')).toBe('PYyk7mO2bSHXa9Vj3IH_VIa098imbby6e2XnntCcHyg');
  expect(keys.email('acme', 'Ana@Example.com')).toBe('tEYO-lu_7y1isVr-eQFB9oiCHlQQNDO4-jylq7SUv5U');
  expect(keys.fingerprint('acme', UBN)).toBe('ibn3JdfZRtN461xgejOuENm-JEU08dMiPLe1BWmZvLs');
  // Of the keys by which providers know a call again.
  expect(keys.verification('acme', UBN)).toBe('hp_4t_CHSUDTyeWwYEqc8NrQ4n7Cqxa74EgOsYhvYoA');
  expect(keys.token('acme', '4111111111111111')).toBe('tok_75e59851e2a691f6_1111');
});

test('letter case of an email does not count', () => {
  expect(keys.email('acme', 'ANA@example.COM')).toBe(keys.email('acme', 'ana@EXAMPLE.com'));
});

test('a person is found by the digest that is stored', () => {
  expect(keys.of('acme', { phoneNumber: '+525512345678' })).toEqual({
    phoneKey: keys.phone('acme', '+525512345678'),
  });
  expect(keys.of('acme', { email: 'Ana@example.com' })).toEqual({
    emailKey: keys.email('acme', 'ana@example.com'),
  });
});

describe('fingerprints', () => {
  const print = (changes: object, tenantId = 'acme') =>
    keys.fingerprint(tenantId, { ...UBN, ...changes } as PaymentMethodInput);

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
    expect(print({}, 'globex')).not.toBe(print({}));
  });
});
