import { randomInt } from 'node:crypto';
import type { Failure } from '../kernel/errors/result.ts';
import { isUsableSecret } from '../kernel/text.ts';
import { LONGEST_RECEIVER_URL, normalizeReceiverUrl } from '../partners/tenants/receiver-url.ts';
import type { StaticHeader } from '../partners/tenants/static-headers.ts';
import { SUBSCRIBABLE_EVENTS } from '../webhook-events/catalogue.ts';
import { EVENT_VERSIONS } from '../webhook-events/versions.ts';

const PREFIX = 'whsec_';
const SECRET_LENGTH = 32;
const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SHOWN_START = 6;
const SHOWN_END = 2;
const SHORTEST_SECRET = 8;
const LONGEST_SECRET = 256;
const LONGEST_DESCRIPTION = 200;

/**
 * A signing secret: `whsec_` and 32 characters (decisions, section 4, "Masks"). They are letters and digits, and so the base64 of
 * 24 bytes: every scheme signs with it.
 */
export function newWebhookSecret(): string {
  const characters = Array.from({ length: SECRET_LENGTH }, () =>
    LETTERS_AND_DIGITS.charAt(randomInt(LETTERS_AND_DIGITS.length)),
  );
  return PREFIX + characters.join('');
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
  readonly eventVersion?: number | null | undefined;
  readonly description?: string | null | undefined;
  readonly headers?: readonly StaticHeader[] | null | undefined;
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
  { url, secret, events, eventVersion, description, headers }: ReceiverInput,
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
    ...(eventVersion == null || EVENT_VERSIONS.includes(eventVersion)
      ? []
      : [issue(names.eventVersion, `must be a supported version: ${EVENT_VERSIONS.join(', ')}`)]),
    ...(description == null || isDescription(description)
      ? []
      : [
          issue(
            names.description,
            `must have at most ${LONGEST_DESCRIPTION} characters and no control characters`,
          ),
        ]),
    ...headerIssues(headers ?? []).map((message) => issue(names.headers, message)),
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

const MOST_HEADERS = 10;
const HEADER_NAME = /^[A-Za-z][\w-]{0,63}$/;
/** Visible ASCII, with spaces between. */
const HEADER_VALUE = /^[!-~](?:[ -~]{0,1022}[!-~])?$/;
/** Names that the product, HTTP or proxies send: a partner's header must not replace them, or change where a request ends. */
const RESERVED_HEADER =
  /^(?:(?:x-)?webhook-.*|x-raas-.*|x-forwarded-.*|proxy-.*|content-.*|accept-encoding|connection|date|expect|forwarded|host|http2-settings|keep-alive|signature|signature-input|te|trailer|transfer-encoding|upgrade|user-agent|via|x-real-ip)$/;

/** The issues of a partner's own headers, each as the rest of a sentence about the list. */
export function headerIssues(headers: readonly StaticHeader[]): string[] {
  const names = headers.map(({ name }) => comparable(name));
  return [
    ...(headers.length > MOST_HEADERS ? [`may be at most ${MOST_HEADERS}`] : []),
    ...(new Set(names).size < names.length ? ['must have different names'] : []),
    ...headers
      .slice(0, MOST_HEADERS)
      .flatMap(({ name, value }, index) => [
        ...(HEADER_NAME.test(name)
          ? []
          : [`${index} must have a name of at most 64 letters, digits, - and _, with a letter first`]),
        ...(RESERVED_HEADER.test(comparable(name))
          ? [`${index} has the name of a header that webhooks or HTTP have`]
          : []),
        ...(HEADER_VALUE.test(value)
          ? []
          : [
              `${index} must have a value of 1 to 1024 visible ASCII characters, with spaces only between them`,
            ]),
      ]),
  ];
}

/** Names that receivers may take for the same are equal in this form: CGI and WSGI read `_` as `-`. */
function comparable(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** A failure that blames one field of the input. */
export function issue(path: string, message: string): Failure {
  return { code: 'INVALID_REQUEST', message: `${path} ${message}`, path: [path] };
}
