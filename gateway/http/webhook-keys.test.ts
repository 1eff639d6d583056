import { createPublicKey, sign, verify } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { calculateJwkThumbprint } from 'jose';
import type { AccountId } from '../../subgraphs/kernel/account.ts';
import { toSigningKey } from '../../subgraphs/webhooks/signing-key.ts';
import { addWebhookKeys } from './webhook-keys.ts';

describe('the public keys of an account', () => {
  const own = [toSigningKey(Buffer.alloc(32, 1)), toSigningKey(Buffer.alloc(32, 2))];
  const read: AccountId[] = [];
  const app = Fastify();
  addWebhookKeys(app, async (accountId) => {
    read.push(accountId);
    return accountId === 'acme/live' ? [...own, ...own] : [];
  });
  afterAll(() => app.close());
  const get = (path: string) => app.inject(`/.well-known/webhook-keys/${path}`);

  test('are a JWK set with each key once, by its thumbprint', async () => {
    const answer = await get('acme/live');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/jwk-set+json',
      'cache-control': 'public, max-age=60',
    });
    const { keys } = answer.json();
    expect(keys).toHaveLength(2);
    for (const [index, { kid, ...jwk }] of keys.entries()) {
      expect(jwk).toEqual({ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', x: expect.any(String) });
      expect(await calculateJwkThumbprint(jwk)).toBe(kid);
      const data = Buffer.from('data');
      const signature = sign(null, data, own[index]!.privateKey);
      expect(verify(null, data, createPublicKey({ key: jwk, format: 'jwk' }), signature)).toBe(true);
    }
  });

  test('of another environment and of an unknown partner are none', async () => {
    for (const path of ['acme/sandbox', 'unknown/live']) {
      expect((await get(path)).json()).toEqual({ keys: [] });
    }
  });

  test.each([
    'acme',
    'acme/test',
    'acme/Live',
    'acme%2Flive',
    'a.b/live',
    'a%2Fb/live',
    `${'a'.repeat(65)}/live`,
    'acme/live/',
  ])('are not found at %s, and nothing is read for it', async (path) => {
    read.length = 0;
    expect((await get(path)).statusCode).toBe(404);
    expect(read).toEqual([]);
  });
});
