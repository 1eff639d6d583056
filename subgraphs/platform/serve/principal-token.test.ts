import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Principal } from '../principal.ts';
import { createPrincipalTokens } from './principal-token.ts';

const principal: Principal = {
  tenantId: 'acme',
  keyId: 'key_1',
  scopes: ['partner'],
  environment: 'sandbox',
};
const key = randomBytes(32);
let now = 1_795_248_000_000;
const tokens = createPrincipalTokens({ keys: [key], clock: () => now });
const context = { principal, requestId: 'r-1' };

describe('principal tokens', () => {
  test('carry who asks from one process to another', () => {
    expect(createPrincipalTokens({ keys: [key], clock: () => now }).verify(tokens.sign(context))).toEqual(
      context,
    );
    expect(tokens.verify(tokens.sign({ principal: null, requestId: 'r-2' }))).toEqual({
      principal: null,
      requestId: 'r-2',
    });
  });

  test('expire after 30 seconds', () => {
    const token = tokens.sign(context);
    now += 29_999;
    expect(tokens.verify(token)).toEqual(context);
    now += 1;
    expect(tokens.verify(token)).toBeUndefined();
  });

  test.each<[string, (token: string) => unknown]>([
    ['nothing', () => undefined],
    ['an empty text', () => ''],
    ['a list', (token) => [token]],
    ['no signature', (token) => token.split('.')[0]],
    ['another key', () => createPrincipalTokens({ keys: [randomBytes(32)], clock: () => now }).sign(context)],
    [
      'another tenant',
      (token) => {
        const claims = {
          ...context,
          principal: { ...principal, tenantId: 'globex' },
          expiresAt: now + 1_000,
        };
        return `${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${token.split('.')[1]}`;
      },
    ],
  ])('%s is refused', (_name, change) => {
    expect(tokens.verify(change(tokens.sign(context)))).toBeUndefined();
  });
});
