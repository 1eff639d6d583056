import { describe, expect, test } from '@jest/globals';
import { maskCredentials, maskHeaders } from './masked-headers.ts';
import { SCHEMES, type Scheme, signedHeaders } from './sign.ts';

const AT = new Date('2026-11-21T08:00:00.900Z');
const SECONDS = Math.floor(AT.getTime() / 1000);
const signer = (until: Date | null) => ({ until, isStandard: false, keyId: () => 'k1' });
const later = (ms: number) => signer(new Date(AT.getTime() + ms));
const signing = { signatureScheme: 'DOCUMENTED' as const, signers: [signer(null)], headerNames: [] };

const delivery = (scheme: Scheme, changed = {}) => ({
  id: 'd1',
  scheme,
  event: 'operation_created',
  url: 'https://hooks.acme.test/in',
  signing,
  ...changed,
});

describe('the headers as they are shown', () => {
  test.each(SCHEMES)('are those that are sent, only the signature masked: %s', (scheme) => {
    const sent = signedHeaders({
      scheme,
      event: 'operation_created',
      deliveryId: 'd1',
      secret: 'whsec_acme_0001',
      body: Buffer.from('{}'),
      at: SECONDS,
    });
    const signature = /(?<=signature: .*)(?<=[ =])[0-9A-Za-z+/=]{44,64}$/i;
    const masked = Object.entries(sent).map(([name, value]) =>
      `${name}: ${value}`.replace(signature, '****'),
    );
    expect(masked.filter((line) => line.endsWith('****'))).toHaveLength(1);
    expect(maskHeaders(delivery(scheme), AT)).toEqual(masked);
  });

  test('have a signature for each former secret that still signed then', () => {
    const rotated = { ...signing, signers: [signer(null), later(1), later(0), later(-1)] };
    expect(maskHeaders(delivery('request_money', { signing: rotated }), AT)).toContain(
      `X-Webhook-Signature: t=${SECONDS},v1=****,v1=****`,
    );
    expect(maskHeaders(delivery('partner', { signing: rotated }), AT)).toContain('X-RAAS-Signature: ****');
  });

  test('have no signature where the receiver has no secret', () => {
    const unsigned = { ...signing, signers: [] };
    expect(maskHeaders(delivery('outcome', { signing: unsigned }), AT)).toEqual([
      'Content-Type: application/json',
      expect.stringMatching(/^User-Agent: remitgraph\/\d/),
      'X-Webhook-Delivery-Id: d1',
    ]);
  });

  test('hide the credentials of the URL, and say that they are sent', () => {
    const url = 'https://ana:s3cret@hooks.acme.test/in';
    const shown = maskHeaders(delivery('outcome', { url }), AT);
    expect(shown.at(-1)).toBe('Authorization: Basic ****');
    expect(shown.join()).not.toMatch(/ana|s3cret|YW5hOn/);
    expect(maskCredentials(url)).toBe('https://****@hooks.acme.test/in');
    expect(maskCredentials('https://hooks.acme.test')).toBe('https://hooks.acme.test');
    expect(maskCredentials('no url')).toBe('no url');
  });
});
