import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { checkSignature } from './signature.ts';

const SECRET = 'whsec_clé';
const BODY = '{"status":"COMPLETED","name":"José"}';
const hmac = (text: string, encoding: 'hex' | 'base64', secret = SECRET) =>
  createHmac('sha256', secret).update(text).digest(encoding);
const check = (signature: string, { timestamp = '', id = '', body = BODY, secret = SECRET } = {}) =>
  checkSignature({ secret, signature, timestamp, id, body }, crypto.subtle);

describe('the check of a signature in the page', () => {
  test.each([
    ['document 2', `t=1700000000,v1=${hmac(`1700000000.${BODY}`, 'hex')}`, ''],
    [
      'document 2, while secrets are rotated',
      `t=1700000000,v1=${hmac('x', 'hex')},v1=${hmac(`1700000000.${BODY}`, 'hex')}`,
      '',
    ],
    ['document 3', hmac(`1700000000.${BODY}`, 'hex'), '1700000000'],
    ['document 1', hmac(BODY, 'base64'), ''],
  ])('knows a valid one of %s', async (_name, signature, timestamp) => {
    expect(await check(` ${signature} `, { timestamp })).toBe('valid');
    expect(await check(signature, { timestamp, body: `${BODY} ` })).toBe('invalid');
  });

  test('an HMAC of RFC 4231, case 2, is what it computes', async () => {
    const body = 'what do ya want for nothing?';
    const digest = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    const signature = Buffer.from(digest, 'hex').toString('base64');
    expect(await check(signature, { secret: 'Jefe', body })).toBe('valid');
  });

  test('knows a valid one of Standard Webhooks, a known answer of its libraries', async () => {
    const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
    const message = {
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      timestamp: '1614265330',
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      body: '{"test": 2432232314}',
    };
    expect(await check(signature, message)).toBe('valid');
    expect(await check(`v1a,x v1,${hmac('x', 'base64')} ${signature}`, message)).toBe('valid');
    expect(await check(signature, { ...message, secret: message.secret.slice(6) })).toBe('valid');
    expect(await check(signature, { ...message, secret: 'no base64' })).toBe('invalid');
    expect(await check(signature, { ...message, id: 'other' })).toBe('invalid');
    expect(await check(signature, { ...message, id: '' })).toBe('malformed');
  });

  test.each([
    '',
    't=1700000000',
    `v1=${hmac(BODY, 'hex')}`,
    hmac(BODY, 'hex'),
    'abc',
    `t=x,v1=${hmac(BODY, 'hex')}`,
  ])('says that %j is no signature', async (signature) => {
    expect(await check(signature)).toBe('malformed');
  });
});
