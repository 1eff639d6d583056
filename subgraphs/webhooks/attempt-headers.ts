import { parseUrl } from '../kernel/parse-url.ts';
import type { SignatureScheme } from '../partners/tenants/signature-scheme.ts';
import type { StaticHeader } from '../partners/tenants/static-headers.ts';
import { MASK, maskedHeaders, type Signable, signedHeaders, type Unsigned, unsignedHeaders } from './sign.ts';
import {
  type Component,
  contentDigest,
  type MessageSignature,
  messageHeaders,
  signatureParameters,
  signComponents,
  standardHeaders,
  standardSignatures,
} from './sign-standards.ts';
import type { SigningKey } from './signing-key.ts';

/** The inputs for the headers of one attempt, with those of its endpoint. */
export interface SignableAttempt extends Signable {
  readonly url: string;
  readonly signatureScheme: SignatureScheme;
  /** The partner's own headers. One that the product sends itself is left out. */
  readonly headers: readonly StaticHeader[];
  /** The Ed25519 key of a secret of the account. */
  readonly keyOf: (secret: string) => SigningKey;
}

/** One secret as a signer under the standards, or the mask of it. */
interface Signer {
  /** Signatures of `webhook-signature`. */
  standard(): readonly string[];
  message(components: readonly Component[]): MessageSignature;
}

/**
 * The headers of one attempt. A scheme other than DOCUMENTED replaces the signature header of the documents; their other headers
 * stay. While replaced secrets still sign, there are signatures by each secret, the new one first.
 */
export function attemptHeaders(attempt: SignableAttempt): Record<string, string> {
  const { url, at, body, signatureScheme, secret, formerSecrets = [], headers, keyOf } = attempt;
  const secrets = secret ? [secret, ...formerSecrets] : [];
  const signers = secrets.map((one) => ({
    standard: () => standardSignatures(attempt, one, keyOf(one)),
    message: (components: readonly Component[]) => signComponents(components, at, keyOf(one)),
  }));
  const own =
    signatureScheme === 'DOCUMENTED'
      ? signedHeaders(attempt)
      : HEADERS[signatureScheme]({ ...attempt, digest: () => contentDigest(body) }, signers);
  return withStatic(own, url, headers);
}

/** A secret that signed an attempt, without the secret. */
export interface ShownSigner {
  /** Whether it has the form of Standard Webhooks, and so makes `v1` signatures. */
  readonly isStandard: boolean;
  /** The id of its Ed25519 key. */
  keyId(): string;
}

/** An attempt without its secrets. */
interface ShownAttempt extends Unsigned, Pick<SignableAttempt, 'url' | 'signatureScheme'> {
  readonly headerNames: readonly string[];
  readonly signers: readonly ShownSigner[];
}

/**
 * As {@link attemptHeaders}, with masks of signatures, credentials and values of the partner's own headers. The digest of the body
 * is masked, too: the body has contact data, which could be found by trying values.
 */
export function shownHeaders(attempt: ShownAttempt): Record<string, string> {
  const { url, at, signatureScheme, headerNames } = attempt;
  const signers = attempt.signers.map(({ isStandard, keyId }) => ({
    standard: () => [...(isStandard ? [`v1,${MASK}`] : []), `v1a,${MASK}`],
    message: (components: readonly Component[]) => ({
      parameters: signatureParameters(components, { at, keyId: keyId() }),
      signature: MASK,
    }),
  }));
  const own =
    signatureScheme === 'DOCUMENTED'
      ? maskedHeaders(attempt, signers.length)
      : HEADERS[signatureScheme]({ ...attempt, digest: () => `sha-256=:${MASK}:` }, signers);
  return {
    ...withStatic(
      own,
      url,
      headerNames.map((name) => ({ name, value: MASK })),
    ),
    ...(hasCredentials(url) ? { Authorization: `Basic ${MASK}` } : {}),
  };
}

interface Unfinished extends Unsigned {
  readonly url: string;
  /** Makes `Content-Digest`. */
  readonly digest: () => string;
}

const HEADERS: Record<
  Exclude<SignatureScheme, 'DOCUMENTED'>,
  (attempt: Unfinished, signers: readonly Signer[]) => Record<string, string>
> = {
  STANDARD_WEBHOOKS: (attempt, signers) => ({
    ...unsignedHeaders(attempt),
    ...standardHeaders(
      attempt,
      signers.flatMap((signer) => signer.standard()),
    ),
  }),
  HTTP_MESSAGE_SIGNATURES: (attempt, signers) => {
    const unsigned = { ...unsignedHeaders(attempt), 'Content-Digest': attempt.digest() };
    const components = componentsOf(attempt.url, unsigned);
    return { ...unsigned, ...messageHeaders(signers.map((signer) => signer.message(components))) };
  },
};

/** The components that signatures of RFC 9421 cover: all but `User-Agent`, which proxies may change. */
function componentsOf(url: string, headers: Readonly<Record<string, string>>): Component[] {
  const { 'User-Agent': _, ...covered } = headers;
  return [
    ['@method', 'POST'],
    ['@target-uri', targetUri(url)],
    ...Object.entries(covered).map(([name, value]): Component => [name.toLowerCase(), value]),
  ];
}

/** The URL as the request has it: without credentials and fragment. */
function targetUri(url: string): string {
  const parsed = parseUrl(url);
  return parsed ? `${parsed.origin}${parsed.pathname}${parsed.search}` : url;
}

/** Adds the partner's own headers, but none that the product or the URL's credentials make. */
function withStatic(
  own: Readonly<Record<string, string>>,
  url: string,
  headers: readonly StaticHeader[],
): Record<string, string> {
  if (headers.length === 0) {
    return { ...own };
  }
  const names = [...Object.keys(own), ...(hasCredentials(url) ? ['Authorization'] : [])];
  const taken = new Set(names.map((name) => name.toLowerCase()));
  const added = headers.filter(({ name }) => !taken.has(name.toLowerCase()));
  return { ...own, ...Object.fromEntries(added.map(({ name, value }) => [name, value])) };
}

/** Whether the URL has a user name or password, which become Basic authentication. */
export function hasCredentials(url: string): boolean {
  const { username = '', password = '' } = parseUrl(url) ?? {};
  return username !== '' || password !== '';
}
