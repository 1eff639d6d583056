import { randomBytes } from 'node:crypto';
import type { Failure } from '../errors/result.ts';
import { WEBHOOK_EVENTS } from '../tenants/webhook-events.ts';

const PREFIX = 'whsec_';
/** 32 characters of base64url. */
const SECRET_BYTES = 24;
const SHOWN_START = 6;
const SHOWN_END = 2;
const LONGEST_URL = 2048;
const SHORTEST_SECRET = 8;
const LONGEST_SECRET = 256;

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
export interface ReceiverInput {
  readonly url?: string | null | undefined;
  readonly secret?: string | null | undefined;
  readonly events?: readonly string[] | null | undefined;
}

/** Finds the issues of a receiver. `names` are the caller's names of its fields. */
export function findReceiverIssues(
  { url, secret, events }: ReceiverInput,
  names: Readonly<Record<keyof ReceiverInput, string>>,
): Failure[] {
  const known: readonly string[] = WEBHOOK_EVENTS;
  const unknown = (events ?? []).filter((event) => !known.includes(event));
  return [
    ...(url == null || isReceiver(url)
      ? []
      : [issue(names.url, `must be an HTTPS URL of at most ${LONGEST_URL} characters, without credentials`)]),
    ...(secret == null || isSecret(secret)
      ? []
      : [
          issue(
            names.secret,
            `must have ${SHORTEST_SECRET} to ${LONGEST_SECRET} characters, without a space at either end`,
          ),
        ]),
    ...(unknown.length === 0 ? [] : [issue(names.events, `may have ${WEBHOOK_EVENTS.join(', ')}`)]),
  ];
}

/** The address is checked at the time of the post, because a name may have another address by then. */
function isReceiver(text: string): boolean {
  if (text.length > LONGEST_URL || !URL.canParse(text)) {
    return false;
  }
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '';
}

/** Spaces at the ends come from copying, and would become a part of the signature. */
function isSecret(text: string): boolean {
  return text.length >= SHORTEST_SECRET && text.length <= LONGEST_SECRET && text === text.trim();
}

/** A failure that blames one field of the input. */
export function issue(path: string, message: string): Failure {
  return { code: 'INVALID_REQUEST', message: `${path} ${message}`, path: [path] };
}
