import type { AccountId } from '../kernel/account.ts';
import type { Box } from '../kernel/crypto/box.ts';
import type { Tenant } from '../partners/tenants/service.ts';
import { type SignatureScheme, standardKeyOf } from '../partners/tenants/signature-scheme.ts';
import type { ShownSigner } from './attempt-headers.ts';
import type { AttemptTiming, TimedPart } from './attempt-timing.ts';
import type { AttemptDocument, DeliveryDocument, DeliveryError, DeliveryStatus } from './model.ts';
import { toPartnerError } from './partner-error.ts';
import { targetOf } from './receivers.ts';
import { type FormerUrl, openAnswer, openDelivery } from './sealed.ts';
import type { ErrorClass } from './sender.ts';
import type { Scheme } from './sign.ts';
import type { SigningKeyOf } from './signing-key.ts';

/** The public form of a delivery. */
export interface Delivery {
  readonly id: string;
  readonly accountId: AccountId;
  readonly event: string;
  readonly scheme: Scheme;
  readonly status: DeliveryStatus;
  /** Attempts made since it was stored or sent again. */
  readonly attempt: number;
  /**
   * When a PENDING delivery is due or, while it is tried, when it would be tried again after a crash; null while it waits for
   * the one before it, and while it is PAUSED.
   */
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly lastError: DeliveryError | null;
  readonly lastStatusCode: number | null;
  /** The URL that it is sent to. */
  readonly url: string;
  /** The URLs before it was sent to its endpoint's current one, oldest first. */
  readonly formerUrls: readonly FormerUrl[];
  /** Id of the endpoint that it was made for; null for the partner's `operationStatusHook`. */
  readonly endpointId: string | null;
  /** The URL that this endpoint has now; null when it was deleted or has none. */
  readonly currentUrl: string | null;
  /** The bytes that are sent, as text. */
  readonly body: string;
  readonly signing: Signing;
}

/** How a delivery is signed, without the secrets, and the names of the partner's own headers. */
interface Signing {
  readonly signatureScheme: SignatureScheme;
  /** Its secret, then replaced ones, newest first; `until` is when one ends, null for its secret. Empty: it is not signed. */
  readonly signers: readonly (ShownSigner & { readonly until: Date | null })[];
  readonly headerNames: readonly string[];
}

/** The public form of an attempt. */
export interface Attempt {
  /** 1 is the first; replays continue the numbers. */
  readonly number: number;
  /** When it began, by the account's clock. */
  readonly at: Date;
  /** The same by the real time, which its signature has. */
  readonly signedAt: Date;
  readonly ms: number;
  readonly statusCode: number | null;
  readonly errorClass: ErrorClass | null;
  /** The first 16 KB of the answer, as text. */
  readonly answer: string;
  /** null if no connection was tried because the host has no allowed address. */
  readonly timing: ShownTiming | null;
}

/** As {@link AttemptTiming}, with null for absent times. */
type ShownTiming = Pick<AttemptTiming, 'reused'> & Readonly<Record<TimedPart, number | null>>;

interface Around {
  readonly signingKeyOf: SigningKeyOf;
  /** Its paused endpoints, as deliveries name them. */
  readonly paused: ReadonlySet<string>;
  /** How far its clock is ahead, milliseconds. */
  readonly aheadMs: number;
  /** Its account, for the URL that its endpoint has now. */
  readonly tenant: Tenant | undefined;
}

/**
 * A PENDING delivery whose endpoint is paused is shown as PAUSED. Due times are of the database; they are shown as the account's
 * clock has them.
 * @throws when the record was sealed under another key or has been changed
 */
export function presentDelivery(
  box: Box,
  document: DeliveryDocument,
  { paused, aheadMs, tenant, signingKeyOf }: Around,
): Delivery {
  const { _id, accountId, event, scheme, attempt, nextAttemptAt, createdAt } = document;
  const status = document.status === 'PENDING' && paused.has(document.endpoint) ? 'PAUSED' : document.status;
  const { url, formerUrls, body, signatureScheme, headers, ...opened } = openDelivery(box, document);
  const { secret, formerSecrets } = opened;
  const secrets = secret ? [{ secret, until: null }, ...formerSecrets] : [];
  return {
    id: _id,
    accountId,
    event,
    scheme,
    status,
    attempt,
    nextAttemptAt:
      status === 'PENDING' && document.after === undefined
        ? new Date(nextAttemptAt.getTime() + aheadMs)
        : null,
    createdAt,
    finishedAt: document.finishedAt ?? null,
    lastError: document.lastError ? toPartnerError(document.lastError) : null,
    lastStatusCode: document.lastStatusCode ?? null,
    url,
    formerUrls,
    endpointId: document.endpointId ?? null,
    currentUrl: (tenant && targetOf(tenant, document)?.url) ?? null,
    body: body.toString(),
    signing: {
      signatureScheme,
      signers: secrets.map((one) => ({
        until: one.until,
        isStandard: standardKeyOf(one.secret) !== undefined,
        keyId: () => signingKeyOf(accountId, one.secret).id,
      })),
      headerNames: headers.map(({ name }) => name),
    },
  };
}

/** @throws when the record was sealed under another key or has been changed */
export function presentAttempt(box: Box, attempt: AttemptDocument): Attempt {
  const { number, at, aheadMs = 0, ms, statusCode, errorClass, timing } = attempt;
  return {
    number,
    at,
    signedAt: new Date(at.getTime() - aheadMs),
    ms,
    statusCode: statusCode ?? null,
    errorClass: errorClass ? toPartnerError(errorClass) : null,
    answer: openAnswer(box, attempt).toString(),
    timing: timing ? { ...NOT_TIMED, ...timing } : null,
  };
}

const NOT_TIMED = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
