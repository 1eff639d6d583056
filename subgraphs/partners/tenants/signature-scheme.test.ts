import { describe, expect, test } from '@jest/globals';
import { requireSigning, standardKeyOf } from './signature-scheme.ts';

const GOOD = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ofBytes = (count: number) => `whsec_${Buffer.alloc(count, 7).toString('base64')}`;

describe('the key of a secret in the form of Standard Webhooks', () => {
  test.each([GOOD, ofBytes(24), ofBytes(25), ofBytes(26), ofBytes(64)])(
    'is the decoded text of %s',
    (secret) => {
      expect(standardKeyOf(secret)?.toString('base64')).toBe(secret.slice(6));
    },
  );

  test.each([
    ['has another prefix', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ['is base64url', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2La-_Sw'],
    ['is text', 'whsec_acme_0001'],
    ['has too few bytes', ofBytes(23)],
    ['has too many bytes', ofBytes(65)],
    ['lacks its padding', ofBytes(25).replaceAll('=', '')],
    ['has spare bits', `${ofBytes(25).slice(0, -3)}/==`],
    ['has a line break', `${GOOD}\n`],
  ])('is undefined for one that %s', (_what, secret) => {
    expect(standardKeyOf(secret)).toBeUndefined();
  });
});

describe('a scheme', () => {
  const pathOf = (signing: Parameters<typeof requireSigning>[0]) => {
    const result = requireSigning(signing, 'scheme');
    return result.ok ? 'ok' : result.failures.map(({ code, path }) => [code, path?.[0]]);
  };

  test('signs with any secret and without one, if it is the documented one', () => {
    expect(pathOf({})).toBe('ok');
    expect(pathOf({ signatureScheme: 'DOCUMENTED', secret: '12345678' })).toBe('ok');
  });

  test('of a standard needs a secret, and Standard Webhooks one in its form', () => {
    const refused = [['INVALID_REQUEST', 'scheme']];
    expect(pathOf({ signatureScheme: 'HTTP_MESSAGE_SIGNATURES' })).toEqual(refused);
    expect(pathOf({ signatureScheme: 'HTTP_MESSAGE_SIGNATURES', secret: '12345678' })).toBe('ok');
    expect(pathOf({ signatureScheme: 'STANDARD_WEBHOOKS', secret: '' })).toEqual(refused);
    expect(pathOf({ signatureScheme: 'STANDARD_WEBHOOKS', secret: '12345678' })).toEqual(refused);
    expect(pathOf({ signatureScheme: 'STANDARD_WEBHOOKS', secret: GOOD })).toBe('ok');
  });
});
