import { createPublicKey, sign, verify } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createBlindIndex } from '../kernel/crypto/blind-index.ts';
import { type Component, contentDigest, signatureBase, standardSignatures } from './sign-standards.ts';
import { createSigningKeys, toSigningKey } from './signing-key.ts';

describe('signatures of Standard Webhooks, known answers of its libraries,', () => {
  const message = {
    deliveryId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: 1614265330,
    body: Buffer.from('{"test": 2432232314}'),
  };
  const key = toSigningKey(Buffer.from('VEVTVFNJR05JTkdLRVlET05PVFVTRVRISVNGT1JBTlk=', 'base64'));
  const ASYMMETRIC =
    'v1a,tQ9V2XOqn7jL/DQenEFpqIugdBVtiMmER5mhSkXBNwM0mkATuDe6KYYUuxqtaiHeYGb7KaaBRdM5WqyeFiL8Ag==';

  test('are HMAC-SHA256 with the decoded secret, and Ed25519', () => {
    expect(standardSignatures(message, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', key)).toEqual([
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      ASYMMETRIC,
    ]);
  });

  test('are Ed25519 only for a secret that its libraries cannot decode', () => {
    expect(standardSignatures(message, 'whsec_acme_0001', key)).toEqual([ASYMMETRIC]);
  });

  test('are over bytes, not text: a byte that is no UTF-8 changes them', () => {
    const signed = (byte: number) =>
      standardSignatures({ ...message, body: Buffer.from([byte]) }, 'whsec_acme_0001', key);
    expect(signed(0xfe)).not.toEqual(signed(0xff));
  });
});

describe('the base of a signature of RFC 9421', () => {
  // Appendix B.2, the test request.
  const DATE: Component = ['date', 'Tue, 20 Apr 2021 02:07:55 GMT'];
  const TYPE: Component = ['content-type', 'application/json'];
  // Appendix B.1.4, the key test-key-ed25519.
  const seed = Buffer.from('n4Ni+HpISpVObnQMW0wOhCKROaIKqKtW/2ZYb2p9KcU=', 'base64');

  test('signs as appendix B.2.6 with Ed25519, known answer', () => {
    const components: Component[] = [
      DATE,
      ['@method', 'POST'],
      ['@path', '/foo'],
      ['@authority', 'example.com'],
      TYPE,
      ['content-length', '18'],
    ];
    const parameters =
      '("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"';
    const base = signatureBase(components, parameters);
    expect(base).toBe(
      [
        '"date": Tue, 20 Apr 2021 02:07:55 GMT',
        '"@method": POST',
        '"@path": /foo',
        '"@authority": example.com',
        '"content-type": application/json',
        '"content-length": 18',
        `"@signature-params": ${parameters}`,
      ].join('\n'),
    );
    const { privateKey, bytes } = toSigningKey(seed);
    expect(bytes.toString('base64url')).toBe('JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs');
    expect(sign(null, Buffer.from(base), privateKey).toString('base64')).toBe(
      'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==',
    );
  });
});

test.each([
  ['{"hello": "world"}\n', 'RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg='],
  ['', '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='],
  // RFC 9421, appendix B.2, by its sha-256.
  ['{"hello": "world"}', 'X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE='],
])('Content-Digest of %j is that of RFC 9530, known answer', (body, digest) => {
  expect(contentDigest(Buffer.from(body))).toBe(`sha-256=:${digest}:`);
});

describe('the Ed25519 key of a secret', () => {
  test('has the thumbprint of RFC 8037, appendix A.3, as its id, known answer', () => {
    const { id, bytes } = toSigningKey(
      Buffer.from('nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', 'base64url'),
    );
    expect(bytes.toString('base64url')).toBe('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo');
    expect(id).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  });

  test('is always the same, and different for another account, secret and deployment', () => {
    const of = (key: number) => createSigningKeys(createBlindIndex(Buffer.alloc(32, key)));
    const keyOf = of(1);
    const { id } = keyOf('acme/sandbox', 's1');
    expect(keyOf('acme/sandbox', 's1').id).toBe(id);
    expect(of(1)('acme/sandbox', 's1').id).toBe(id);
    const others = [keyOf('acme/live', 's1'), keyOf('acme/sandbox', 's2'), of(2)('acme/sandbox', 's1')];
    expect(new Set([id, ...others.map((other) => other.id)]).size).toBe(4);
  });

  test('is made once, and taken again for each signature and key set', () => {
    const keyOf = createSigningKeys(createBlindIndex(Buffer.alloc(32, 1)));
    expect(keyOf('acme/sandbox', 's1')).toBe(keyOf('acme/sandbox', 's1'));
  });

  test('verifies by the public key that partners get', () => {
    const { privateKey, bytes } = toSigningKey(Buffer.alloc(32, 7));
    const x = bytes.toString('base64url');
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const data = Buffer.from('data');
    expect(verify(null, data, publicKey, sign(null, data, privateKey))).toBe(true);
  });
});
