import { createPublicKey } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createVerifier, httpbis } from 'http-message-signatures';
import { Webhook } from 'standardwebhooks';
import { createBlindIndex } from '../kernel/crypto/blind-index.ts';
import {
  SIGNATURE_SCHEMES,
  type SignatureScheme,
  standardKeyOf,
} from '../partners/tenants/signature-scheme.ts';
import { attemptHeaders, type SignableAttempt } from './attempt-headers.ts';
import { checkReceiver, newWebhookSecret } from './endpoint-rules.ts';
import { maskHeaders } from './masked-headers.ts';
import { MASK, SCHEMES, signedHeaders } from './sign.ts';
import { contentDigest } from './sign-standards.ts';
import { createSigningKeys } from './signing-key.ts';

const ID = '0190b2f4-6d0e-7c3a-9d52-4a1f0c9e7b11';
const NOW = Math.floor(Date.now() / 1000);
const BODY = '{"event":"operation_created","data":{"name":"Ana Ruíz"}}';
const URL_OF = 'https://hooks.acme.test/in?tenant=1';
const [SECRET, FORMER] = [newWebhookSecret(), newWebhookSecret()];
const keys = createSigningKeys(createBlindIndex(Buffer.alloc(32, 7)));
const keyOf = (secret: string) => keys('acme/sandbox', secret);

function attempt(signatureScheme: SignatureScheme, change: Partial<SignableAttempt> = {}): SignableAttempt {
  return {
    scheme: 'request_money',
    event: 'operation_created',
    deliveryId: ID,
    secret: SECRET,
    body: Buffer.from(BODY),
    at: NOW,
    url: URL_OF,
    headers: [],
    keyOf,
    ...{ signatureScheme, ...change },
  };
}

const lowerCased = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

describe('the headers of an attempt in the documented scheme', () => {
  test.each(SCHEMES)('are those of the documents, unchanged: %s', (scheme) => {
    const signable = attempt('DOCUMENTED', { scheme, formerSecrets: [FORMER] });
    expect(JSON.stringify(attemptHeaders(signable))).toBe(JSON.stringify(signedHeaders(signable)));
  });
});

describe('the headers of an attempt in the scheme of Standard Webhooks', () => {
  test.each(['request_money', 'partner'] as const)(
    'are verified by its library with the secret, and with the replaced one while it signs: %s',
    (scheme) => {
      const headers = attemptHeaders(attempt('STANDARD_WEBHOOKS', { scheme, formerSecrets: [FORMER] }));
      for (const secret of [SECRET, FORMER]) {
        expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
        expect(() => new Webhook(secret).verify(`${BODY} `, headers)).toThrow('No matching signature');
      }
      expect(() => new Webhook(newWebhookSecret()).verify(BODY, headers)).toThrow('No matching signature');
    },
  );

  test('replace the signature of the documents, and keep their other headers', () => {
    const headers = attemptHeaders(attempt('STANDARD_WEBHOOKS'));
    expect(Object.keys(headers)).toEqual([
      ...['Content-Type', 'User-Agent', 'X-Webhook-Event', 'X-Webhook-Delivery-Id'],
      ...['webhook-id', 'webhook-timestamp', 'webhook-signature'],
    ]);
    expect(headers).toMatchObject({ 'webhook-id': ID, 'webhook-timestamp': String(NOW) });
    expect(headers['webhook-signature']?.split(' ').map((one) => one.split(',')[0])).toEqual(['v1', 'v1a']);
  });

  test('have HMAC with every secret that the product makes', () => {
    for (let made = 0; made < 100; made += 1) {
      expect(standardKeyOf(newWebhookSecret())).toHaveLength(24);
    }
  });

  test('lack a signature without a secret', () => {
    const headers = attemptHeaders(
      attempt('STANDARD_WEBHOOKS', { secret: undefined, formerSecrets: [FORMER] }),
    );
    expect(headers).not.toHaveProperty('webhook-signature');
  });
});

describe('the headers of an attempt in the scheme of HTTP message signatures', () => {
  /** Verifies the signatures of the key as a receiver with the public key does. */
  const isVerified = (secret: string, headers: Record<string, string>, url = URL_OF) => {
    const { id, bytes } = keyOf(secret);
    const key = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
    const verify = createVerifier(createPublicKey({ key, format: 'jwk' }), 'ed25519');
    return httpbis.verifyMessage(
      {
        keyLookup: async ({ keyid }) => (keyid === id ? { id, algs: ['ed25519'], verify } : null),
        requiredFields: ['@method', '@target-uri', 'content-digest'],
        requiredParams: ['created', 'keyid'],
        maxAge: 300,
        tolerance: 60,
      },
      { method: 'POST', url, headers: lowerCased(headers) },
    );
  };

  test.each(['request_money', 'partner'] as const)(
    'are verified by a library with the key of the secret, and with that of the replaced one: %s',
    async (scheme) => {
      const headers = attemptHeaders(attempt('HTTP_MESSAGE_SIGNATURES', { scheme, formerSecrets: [FORMER] }));
      expect(await isVerified(SECRET, headers)).toBe(true);
      expect(await isVerified(FORMER, headers)).toBe(true);
      expect(await isVerified(newWebhookSecret(), headers)).not.toBe(true);
      expect(headers['Content-Digest']).toBe(contentDigest(Buffer.from(BODY)));
    },
  );

  test('cover all headers of the product but User-Agent', () => {
    const headers = attemptHeaders(attempt('HTTP_MESSAGE_SIGNATURES'));
    const names =
      '"@method" "@target-uri" "content-type" "x-webhook-event" "x-webhook-delivery-id" "content-digest"';
    const { id } = keyOf(SECRET);
    expect(headers['Signature-Input']).toBe(`sig1=(${names});created=${NOW};keyid="${id}";alg="ed25519"`);
    expect(headers.Signature).toMatch(/^sig1=:[A-Za-z0-9+/]{86}==:$/);
  });

  test('are of this URL, body, event and delivery only', async () => {
    const headers = attemptHeaders(attempt('HTTP_MESSAGE_SIGNATURES'));
    expect(await isVerified(SECRET, headers, 'https://hooks.acme.test/in?tenant=2')).toBe(false);
    for (const name of ['Content-Digest', 'X-Webhook-Event', 'X-Webhook-Delivery-Id', 'Content-Type']) {
      expect([name, await isVerified(SECRET, { ...headers, [name]: 'x' })]).toEqual([name, false]);
    }
  });

  test('sign the URL as the request has it, without credentials and fragment', async () => {
    const url = 'https://ana:s3cret@hooks.acme.test/in?tenant=1#part';
    expect(await isVerified(SECRET, attemptHeaders(attempt('HTTP_MESSAGE_SIGNATURES', { url })))).toBe(true);
  });

  test('of a URL that cannot be read are made all the same: the sender reports it', () => {
    expect(() => attemptHeaders(attempt('HTTP_MESSAGE_SIGNATURES', { url: 'no url' }))).not.toThrow();
  });
});

describe("a partner's own headers", () => {
  const names = {
    url: 'url',
    secret: 'secret',
    events: 'events',
    eventVersion: 'eventVersion',
    description: 'description',
    headers: 'headers',
  };
  const messages = (...headers: { name: string; value: string }[]) =>
    checkReceiver({ headers }, names).failures.map(({ message }) => message);

  test.each(SIGNATURE_SCHEMES)('are sent as they are, and change no other header: %s', (signatureScheme) => {
    const headers = [
      { name: 'Authorization', value: 'Bearer t0ken' },
      { name: 'x-Tenant', value: 'acme mx' },
    ];
    expect(attemptHeaders(attempt(signatureScheme, { headers }))).toEqual({
      ...attemptHeaders(attempt(signatureScheme)),
      Authorization: 'Bearer t0ken',
      'x-Tenant': 'acme mx',
    });
  });

  test('cannot have the name of a header that the product sends, in any scheme', () => {
    const own = SIGNATURE_SCHEMES.flatMap((signatureScheme) =>
      SCHEMES.flatMap((scheme) => Object.keys(attemptHeaders(attempt(signatureScheme, { scheme })))),
    );
    for (const name of new Set([...own, ...own.map((one) => one.toUpperCase())])) {
      expect([name, messages({ name, value: 'x' })]).toEqual([
        name,
        ['headers 0 has the name of a header that webhooks or HTTP have'],
      ]);
    }
  });

  test.each(['X_RAAS_Signature', 'x-webhook_signature', 'Content_Length', 'webhook_id'])(
    'cannot have the name %s, which receivers under CGI read as that of another header',
    (name) => {
      expect(messages({ name, value: 'x' })).toEqual([
        'headers 0 has the name of a header that webhooks or HTTP have',
      ]);
    },
  );

  test.each([
    'Host',
    'content-length',
    'Transfer-Encoding',
    'connection',
    'Expect',
    'X-Forwarded-For',
    'X-Real-IP',
    'TE',
  ])('cannot have the name %s, which decides where a request goes or ends', (name) => {
    expect(messages({ name, value: 'x' })).toHaveLength(1);
  });

  test('have names and values that HTTP can carry on one line', () => {
    expect(messages({ name: 'X-A', value: 'a'.repeat(1024) }, { name: 'X_B', value: '!' })).toEqual([]);
    for (const value of ['', ' x', 'x ', 'x\r\nHost: y', 'x\n', 'ñ', 'x\0', 'a'.repeat(1025)]) {
      expect(messages({ name: 'X-A', value })).toHaveLength(1);
    }
    for (const name of ['', '1x', 'X A', 'X:A', 'Xñ', '__proto__', 'X-A\n', `X${'a'.repeat(64)}`]) {
      expect(messages({ name, value: 'x' })).toHaveLength(1);
    }
  });

  test('are ten at most, with different names', () => {
    const many = Array.from({ length: 11 }, (_, index) => ({ name: `X-${index}`, value: 'x' }));
    expect(messages(...many)).toEqual(['headers may be at most 10']);
    expect(messages(...many.slice(0, 10))).toEqual([]);
    for (const name of ['x-a', 'X_A']) {
      expect(messages({ name: 'X-A', value: 'x' }, { name, value: 'y' })).toEqual([
        'headers must have different names',
      ]);
    }
  });

  test('do not replace the credentials of the URL', () => {
    const url = 'https://ana:s3cret@hooks.acme.test/';
    const headers = [{ name: 'authorization', value: 'Bearer t0ken' }];
    expect(Object.keys(attemptHeaders(attempt('DOCUMENTED', { url, headers })))).not.toContain(
      'authorization',
    );
  });
});

describe('the headers of an attempt as they are shown', () => {
  test.each(SIGNATURE_SCHEMES)('are those that are sent, with masks: %s', (signatureScheme) => {
    const headers = [{ name: 'X-Key', value: 'k3y' }];
    const sent = attemptHeaders(attempt(signatureScheme, { headers, formerSecrets: [FORMER] }));
    const signers = [SECRET, FORMER, 'expired'].map((secret, index) => ({
      until: [null, new Date((NOW + 1) * 1000), new Date(NOW * 1000)][index] ?? null,
      isStandard: true,
      keyId: () => keyOf(secret).id,
    }));
    const shown = maskHeaders(
      {
        ...{ id: ID, scheme: 'request_money', event: 'operation_created', url: URL_OF },
        signing: { signatureScheme, signers, headerNames: ['X-Key'] },
      },
      new Date(NOW * 1000),
    );
    const masked = Object.entries(sent).map(([name, value]) =>
      `${name}: ${value}`
        .replaceAll(/(?<=v1=)[0-9a-f]{64}|(?<=v1a?,)[\w+/]+=*|(?<==:)[\w+/]+=*(?=:)/g, MASK)
        .replace('k3y', MASK),
    );
    expect(shown).toEqual(masked);
  });
});
