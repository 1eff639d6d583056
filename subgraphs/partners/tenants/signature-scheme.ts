import { fail, type Result, succeed } from '../../kernel/errors/result.ts';

/**
 * How an endpoint's webhooks are signed. DOCUMENTED: by the headers of documents 2 and 3. STANDARD_WEBHOOKS: by those of
 * Standard Webhooks 1.x. HTTP_MESSAGE_SIGNATURES: by those of RFC 9421, with a digest of RFC 9530.
 */
export const SIGNATURE_SCHEMES = ['DOCUMENTED', 'STANDARD_WEBHOOKS', 'HTTP_MESSAGE_SIGNATURES'] as const;
export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number];

const STANDARD_SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const SHORTEST_KEY_BYTES = 24;
const LONGEST_KEY_BYTES = 64;

/**
 * The HMAC key of a secret in the form of Standard Webhooks 1.x: `whsec_` and the base64 of 24 to 64 bytes. Undefined for a
 * secret in another form, which its libraries reject or decode to another key.
 */
export function standardKeyOf(secret: string): Buffer | undefined {
  const [, text] = STANDARD_SECRET.exec(secret) ?? [];
  if (text === undefined) {
    return undefined;
  }
  const key = Buffer.from(text, 'base64');
  const isKey = key.length >= SHORTEST_KEY_BYTES && key.length <= LONGEST_KEY_BYTES;
  return isKey && key.toString('base64') === text ? key : undefined;
}

/** An endpoint's scheme and secret; absent: DOCUMENTED, and no secret. */
interface Signing {
  readonly signatureScheme?: SignatureScheme | undefined;
  readonly secret?: string | undefined;
}

/**
 * Requires a secret that the scheme can sign with.
 * @param field the caller's name of the scheme. Failures: INVALID_REQUEST
 */
export function requireSigning({ signatureScheme, secret }: Signing, field: string): Result<undefined> {
  if (signatureScheme === undefined || signatureScheme === 'DOCUMENTED') {
    return succeed(undefined);
  }
  if (!secret) {
    return fail('INVALID_REQUEST', `${field} ${signatureScheme} needs an endpoint with a secret`, [field]);
  }
  return signatureScheme === 'STANDARD_WEBHOOKS' && standardKeyOf(secret) === undefined
    ? fail(
        'INVALID_REQUEST',
        `${field} STANDARD_WEBHOOKS needs a secret of whsec_ and the base64 of ${SHORTEST_KEY_BYTES} to ${LONGEST_KEY_BYTES} bytes; rotateWebhookSecret makes one`,
        [field],
      )
    : succeed(undefined);
}
