import { createHmac, timingSafeEqual } from 'node:crypto';

// `remitgraph/webhooks`. It imports only Node's modules, so a receiver may also copy this one file.

/**
 * Which document describes the webhook: `request_money` is document 2's (`X-Webhook-Signature`), `partner` document 3's
 * (`X-RAAS-Signature`), `outcome` document 1's (`x-raas-signature`, without a time). A receiver knows it by the URL that it
 * gave us: it is never guessed from headers, which are the sender's word.
 */
export type WebhookScheme = 'request_money' | 'partner' | 'outcome';

/** Why a webhook was not accepted. */
export type WebhookIssue = 'MISSING_HEADER' | 'MALFORMED_HEADER' | 'MISMATCH' | 'TOO_OLD' | 'IN_FUTURE';

/** Thrown by {@link verifyWebhook}. Its message names headers and seconds, no secret and no signature. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookIssue;

  constructor(code: WebhookIssue, message: string) {
    super(message);
    this.code = code;
  }
}

/** Headers as Node's `http` has them, or as `fetch` has them. */
export type WebhookHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { forEach(visit: (value: string, name: string) => void): void };

/** The received webhook, and what it is checked against. */
export interface ReceivedWebhook {
  readonly scheme: WebhookScheme;
  readonly headers: WebhookHeaders;
  /** The body exactly as received, before it is parsed. A text stands for its UTF-8 bytes. */
  readonly body: Uint8Array | string;
  /** One secret or, while secrets are rotated, several: a signature of any of them is good. */
  readonly secrets: string | readonly string[];
  /**
   * The largest distance between the webhook's time and `now`, before or after it, seconds. Default 300. `outcome` has no
   * time.
   */
  readonly toleranceSeconds?: number;
  /** The receiver's clock. Default: the current time. */
  readonly now?: Date;
}

/**
 * Checks that a webhook was signed with one of the secrets, over exactly this body, and not long ago. All comparisons take the
 * same time wherever texts differ.
 * @throws WebhookVerificationError when the webhook must not be trusted; `code` says why
 * @throws TypeError when the call itself is wrong, such as an empty secret, an invalid date or a body that was parsed
 */
export function verifyWebhook(received: ReceivedWebhook): void {
  const { headers, body } = received;
  const now = requireSeconds(received.now ?? new Date());
  const secrets = requireSecrets(received.secrets);
  const tolerance = requireTolerance(received.toleranceSeconds ?? 300);
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('body must be the bytes as received, not what was parsed from them');
  }
  const { time, candidates, encoding } = requireReader(received.scheme)(headers);
  const isSigned = secrets
    .map((secret) => sign(secret, time, body).toString(encoding))
    .flatMap((expected) => candidates.map((candidate) => isEqual(expected, candidate)))
    .includes(true);
  // The signature is checked before the time: an unsigned time means nothing.
  if (!isSigned) {
    throw new WebhookVerificationError('MISMATCH', 'The signature is of another body, secret or time');
  }
  if (time !== undefined) {
    requireRecent(now - Number(time), tolerance);
  }
}

/** The claims in the headers of a webhook. */
interface Claim {
  /** Unix seconds, as written; absent where the scheme has none. */
  readonly time?: string;
  /** Signatures of this body; any of them may be valid. */
  readonly candidates: readonly string[];
  readonly encoding: 'hex' | 'base64';
}

const READERS: Readonly<Record<WebhookScheme, (headers: WebhookHeaders) => Claim>> = {
  request_money: (headers) => {
    const header = requireHeader(headers, 'X-Webhook-Signature', SIGNATURES);
    const [time = '', ...elements] = header.split(',');
    // An element with another name is from a later version, and is ignored.
    const candidates = elements.filter((one) => one.startsWith('v1=')).map((one) => one.slice(3));
    return { time: time.slice(2), candidates, encoding: 'hex' };
  },
  partner: (headers) => ({
    candidates: [requireHeader(headers, 'X-RAAS-Signature', HEX)],
    time: requireHeader(headers, 'X-RAAS-Timestamp', SECONDS),
    encoding: 'hex',
  }),
  outcome: (headers) => ({
    candidates: [requireHeader(headers, 'x-raas-signature', BASE64)],
    encoding: 'base64',
  }),
};

const SIGNATURES =
  /^t=\d{1,12}(?=.*,v1=)(?:,(?:v1=[0-9a-f]{64}|(?!v1=|t=)[a-z]\w{0,15}=[^,\s]{0,256})){1,16}$/;
const SECONDS = /^\d{1,12}$/;
const HEX = /^[0-9a-f]{64}$/;
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;

function requireReader(scheme: WebhookScheme): (headers: WebhookHeaders) => Claim {
  if (!Object.hasOwn(READERS, scheme)) {
    throw new TypeError(`scheme must be one of ${Object.keys(READERS).join(', ')}`);
  }
  return READERS[scheme];
}

function requireSecrets(given: string | readonly string[]): readonly string[] {
  const secrets = typeof given === 'string' ? [given] : given;
  // Everyone can sign with an empty key.
  if (secrets.length === 0 || secrets.some((secret) => typeof secret !== 'string' || secret === '')) {
    throw new TypeError('secrets must be one or more texts that are not empty');
  }
  return secrets;
}

function requireTolerance(seconds: number): number {
  if (!(seconds >= 0 && Number.isFinite(seconds))) {
    throw new TypeError('toleranceSeconds must be 0 or more');
  }
  return seconds;
}

/** The receiver's clock in Unix seconds. An invalid date has no distance from any time, so every webhook would be recent. */
function requireSeconds(now: Date): number {
  const ms = now.getTime();
  if (!Number.isFinite(ms)) {
    throw new TypeError('now must be a valid date');
  }
  return ms / 1000;
}

/** The value of a required header, which must occur once and match. */
function requireHeader(headers: WebhookHeaders, name: string, pattern: RegExp): string {
  const [value, ...others] = valuesOf(headers, name);
  if (value === undefined || value === '') {
    throw new WebhookVerificationError('MISSING_HEADER', `The header ${name} is missing`);
  }
  if (others.length > 0 || !pattern.test(value)) {
    throw new WebhookVerificationError('MALFORMED_HEADER', `The header ${name} is malformed`);
  }
  return value;
}

/** Finds a header in any case of letters. */
function valuesOf(headers: WebhookHeaders, name: string): string[] {
  const found: string[] = [];
  const visit = (value: string | readonly string[] | undefined, key: string) => {
    if (key.toLowerCase() === name.toLowerCase() && value !== undefined) {
      found.push(...(typeof value === 'string' ? [value] : value));
    }
  };
  if (isIterable(headers)) {
    headers.forEach(visit);
  } else {
    for (const [key, value] of Object.entries(headers)) {
      visit(value, key);
    }
  }
  return found;
}

function isIterable(
  headers: WebhookHeaders,
): headers is { forEach(visit: (value: string, name: string) => void): void } {
  return typeof headers.forEach === 'function';
}

function sign(secret: string, time: string | undefined, body: Uint8Array | string): Buffer {
  const mac = createHmac('sha256', secret);
  if (time !== undefined) {
    mac.update(`${time}.`);
  }
  return mac.update(body).digest();
}

/** Both are ASCII, and have the same length when their patterns match. */
function isEqual(expected: string, candidate: string): boolean {
  return (
    expected.length === candidate.length && timingSafeEqual(Buffer.from(expected), Buffer.from(candidate))
  );
}

/** @param age seconds; negative for a future time */
function requireRecent(age: number, tolerance: number): void {
  if (age > tolerance) {
    throw new WebhookVerificationError('TOO_OLD', `Signed more than ${tolerance} s ago`);
  }
  if (age < -tolerance) {
    throw new WebhookVerificationError('IN_FUTURE', `Signed more than ${tolerance} s in the future`);
  }
}
