import { createHmac } from 'node:crypto';
import { productVersion } from '../kernel/product-version.ts';

/** The header set of a delivery: document 2's, document 3's, or the outcome webhook of document 1. */
export const SCHEMES = ['request_money', 'partner', 'outcome'] as const;
export type Scheme = (typeof SCHEMES)[number];

/** The inputs for the headers of one attempt. */
export interface Signable {
  readonly scheme: Scheme;
  readonly event: string;
  readonly deliveryId: string;
  /** Absent or empty: the receiver has no secret, and the signature header is left out. */
  readonly secret?: string | undefined;
  /** Replaced secrets that sign beside it, newest first; only in document 2's scheme. */
  readonly formerSecrets?: readonly string[];
  /** The bytes that are sent. These bytes are signed, not a second serialisation. */
  readonly body: Uint8Array;
  /** Time of this attempt, Unix seconds. */
  readonly at: number;
}

/**
 * The headers of one attempt. While a replaced secret still signs, document 2's header has a `v1` for each secret, the
 * new one first; the headers of the others hold one signature, which is always the new secret's. Names in the case that the documents print (document 2 "Events", document 3 "Events",
 * document 1 "Events" with decisions, sections 2 to 4).
 */
export function signedHeaders(signable: Signable): Record<string, string> {
  const { scheme, secret, formerSecrets = [] } = signable;
  const secrets = secret ? [secret, ...formerSecrets] : [];
  return headersWith(
    signable,
    secrets.map((one) => SIGN[scheme](signable, one)),
  );
}

/** The mask of a signature or of credentials. */
export const MASK = '****';

/** The headers without a secret: with a mask for each of so many signatures. */
export function maskedHeaders(signable: Unsigned, signatures: number): Record<string, string> {
  return headersWith(signable, Array<string>(signatures).fill(MASK));
}

/** The inputs for the headers of an attempt that do not depend on its secret. */
export type Unsigned = Pick<Signable, 'scheme' | 'event' | 'deliveryId' | 'at'>;

/** The documented headers without the signature. */
export function unsignedHeaders(signable: Unsigned): Record<string, string> {
  return HEADERS[signable.scheme](signable);
}

function headersWith(signable: Unsigned, signatures: readonly string[]): Record<string, string> {
  const { scheme, at } = signable;
  const [first, ...former] = signatures;
  const signature = first === undefined ? {} : SIGNATURE_HEADER[scheme](at, first, former);
  return { ...unsignedHeaders(signable), ...signature };
}

/** Public firewalls refuse requests without `User-Agent` (decisions, section 8, "Delivery answers"). */
const COMMON = { 'Content-Type': 'application/json', 'User-Agent': `remitgraph/${productVersion()}` };

const HEADERS: Record<Scheme, (signable: Unsigned) => Record<string, string>> = {
  request_money: ({ event, deliveryId }) => ({
    ...COMMON,
    'X-Webhook-Event': event,
    'X-Webhook-Delivery-Id': deliveryId,
  }),
  partner: ({ event, deliveryId, at }) => ({
    ...COMMON,
    'X-RAAS-Timestamp': String(at),
    'X-RAAS-Event': event,
    'X-Webhook-Delivery-Id': deliveryId,
  }),
  outcome: ({ deliveryId }) => ({ ...COMMON, 'X-Webhook-Delivery-Id': deliveryId }),
};

const SIGNATURE_HEADER: Record<
  Scheme,
  (at: number, signature: string, former: readonly string[]) => Record<string, string>
> = {
  request_money: (at, signature, former) => ({
    'X-Webhook-Signature': [`t=${at}`, ...[signature, ...former].map((one) => `v1=${one}`)].join(),
  }),
  partner: (_at, signature) => ({ 'X-RAAS-Signature': signature }),
  outcome: (_at, signature) => ({ 'x-raas-signature': signature }),
};

const SIGN: Record<Scheme, (signable: Signable, secret: string) => string> = {
  request_money: ({ at, body }, secret) => hmac(secret, timed(at, body)).toString('hex'),
  partner: ({ at, body }, secret) => hmac(secret, timed(at, body)).toString('hex'),
  outcome: ({ body }, secret) => hmac(secret, [body]).toString('base64'),
};

function timed(at: number, body: Uint8Array): [string, Uint8Array] {
  return [`${at}.`, body];
}

function hmac(secret: string, parts: readonly (string | Uint8Array)[]): Buffer {
  const mac = createHmac('sha256', secret);
  for (const part of parts) {
    mac.update(part);
  }
  return mac.digest();
}
