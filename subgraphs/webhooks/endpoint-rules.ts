import { randomBytes } from 'node:crypto';
import type { Failure } from '../kernel/errors/result.ts';
import { isUsableSecret } from '../kernel/text.ts';
import { LONGEST_RECEIVER_URL, normalizeReceiverUrl } from '../partners/tenants/receiver-url.ts';
import { SUBSCRIBABLE_EVENTS } from '../webhook-events/catalogue.ts';

const PREFIX = 'whsec_';
/** 32 characters of base64url. */
const SECRET_BYTES = 24;
const SHOWN_START = 6;
const SHOWN_END = 2;
const SHORTEST_SECRET = 8;
const LONGEST_SECRET = 256;
const LONGEST_DESCRIPTION = 200;

/** A signing secret: `whsec_` and 32 characters (decisions, section 4, "Masks"). */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

/** The first six characters, `…` and the last two. A secret that is not longer than these parts is not shown at all. */
export function previewSecret(secret: string): string {
  if (secret.length <= SHOWN_START + SHOWN_END) {
    return '…';
  }
  return `${secret.slice(0, SHOWN_START)}…${secret.slice(-SHOWN_END)}`;
}

/** The fields of a receiver that a partner sets; null and undefined are not checked. */
interface ReceiverInput {
  readonly url?: string | null | undefined;
  readonly secret?: string | null | undefined;
  readonly events?: readonly string[] | null | undefined;
  readonly description?: string | null | undefined;
}

interface CheckedReceiver {
  /** INVALID_REQUEST for each issue. */
  readonly failures: Failure[];
  /** The URL as it is stored and compared: see {@link normalizeReceiverUrl}. Absent or null as in the input. */
  readonly url: string | null | undefined;
}

/**
 * Checks the fields of a receiver and normalises its URL.
 * @param names the caller's names of the fields
 */
export function checkReceiver(
  { url, secret, events, description }: ReceiverInput,
  names: Readonly<Record<keyof ReceiverInput, string>>,
): CheckedReceiver {
  const normalized = url == null ? url : normalizeUrl(url);
  const isKnown = (events ?? []).every((event) => SUBSCRIBABLE_EVENTS.includes(event));
  const failures = [
    ...(url != null && normalized === undefined
      ? [
          issue(
            names.url,
            `must be an HTTPS URL of at most ${LONGEST_RECEIVER_URL} characters, without credentials`,
          ),
        ]
      : []),
    ...(secret == null || isSecret(secret)
      ? []
      : [
          issue(
            names.secret,
            `must have ${SHORTEST_SECRET} to ${LONGEST_SECRET} characters, no control characters and no space at either end`,
          ),
        ]),
    ...(isKnown ? [] : [issue(names.events, `may have ${SUBSCRIBABLE_EVENTS.join(', ')}`)]),
    ...(description == null || isDescription(description)
      ? []
      : [
          issue(
            names.description,
            `must have at most ${LONGEST_DESCRIPTION} characters and no control characters`,
          ),
        ]),
  ];
  return { failures, url: normalized };
}

/** The address is checked at the time of the post, because a name may have another address by then. */
function normalizeUrl(text: string): string | undefined {
  const normalized = normalizeReceiverUrl(text);
  if (normalized === undefined) {
    return undefined;
  }
  const { username, password } = new URL(normalized);
  return username === '' && password === '' ? normalized : undefined;
}

function isSecret(text: string): boolean {
  return text.length >= SHORTEST_SECRET && text.length <= LONGEST_SECRET && isUsableSecret(text);
}

function isDescription(text: string): boolean {
  return text.length <= LONGEST_DESCRIPTION && !/\p{Cc}/u.test(text);
}

/** A failure that blames one field of the input. */
export function issue(path: string, message: string): Failure {
  return { code: 'INVALID_REQUEST', message: `${path} ${message}`, path: [path] };
}
