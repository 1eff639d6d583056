import type { AccountId } from '../../kernel/account.ts';
import { toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import type { WebhookEndpointDocument } from './endpoint-model.ts';
import { type FormerSecret, openFormerSecrets } from './former-secrets.ts';
import type { SignatureScheme } from './signature-scheme.ts';
import { openHeaders, type StaticHeader, sealHeaders } from './static-headers.ts';

/** A receiver of a partner's webhooks besides the documented one, with readable secrets. */
export interface WebhookEndpoint {
  readonly id: string;
  /** Keyed digest of tenant and URL, as deliveries have it. */
  readonly endpoint: string;
  readonly url: string;
  readonly secret: string;
  /** Replaced secrets, newest first; expired ones sign nothing. */
  readonly formerSecrets: readonly FormerSecret[];
  /** Absent: DOCUMENTED. */
  readonly signatureScheme?: SignatureScheme;
  /** The partner's own headers; absent: none. */
  readonly headers?: readonly StaticHeader[];
  /** Names of its events; absent: all. */
  readonly events?: readonly string[];
  /** The version of the event catalogue that it is pinned to: bodies keep their shape until a change of it. */
  readonly eventVersion: number;
  /** The partner's note; absent: none. */
  readonly description?: string;
  readonly createdAt: Date;
}

/** The values of a new endpoint; the caller has checked them. */
export type NewWebhookEndpoint = Omit<WebhookEndpoint, 'id' | 'formerSecrets'>;

/** The record of a new endpoint. */
export function toDocument(
  box: Box,
  key: Pick<WebhookEndpointDocument, '_id' | 'accountId' | 'slot'>,
  made: NewWebhookEndpoint,
): WebhookEndpointDocument {
  const { endpoint, url, secret, signatureScheme, headers = [], events, eventVersion } = made;
  const { description, createdAt } = made;
  const context = contextOf(key.accountId, key._id);
  const sealedHeaders = sealHeaders(box, headers, context('headers'));
  return {
    ...key,
    endpoint,
    url: box.seal(url, context('url')),
    secret: box.seal(secret, context('secret')),
    ...(signatureScheme && { signatureScheme }),
    ...(sealedHeaders && { headers: sealedHeaders }),
    ...(events === undefined ? {} : { events: [...events] }),
    eventVersion,
    ...(description === undefined ? {} : { description }),
    createdAt,
  };
}

/** The endpoint of a record. @throws when it was sealed under another key or has been changed */
export function reveal(box: Box, document: WebhookEndpointDocument): WebhookEndpoint {
  const { _id: id, accountId, endpoint, url, secret, formerSecrets, events, description } = document;
  const { signatureScheme, eventVersion, createdAt } = document;
  const context = contextOf(accountId, id);
  const headers = openHeaders(box, document.headers, context('headers'));
  return {
    id,
    endpoint,
    url: box.open(toBuffer(url), context('url')).toString(),
    secret: box.open(toBuffer(secret), context('secret')).toString(),
    formerSecrets: openFormerSecrets(box, formerSecrets, context('formerSecrets')),
    ...(signatureScheme && { signatureScheme }),
    ...(headers.length > 0 && { headers }),
    ...(events === undefined ? {} : { events }),
    eventVersion,
    ...(description === undefined ? {} : { description }),
    createdAt,
  };
}

/** The contexts under which the fields of a record are sealed. */
export function contextOf(accountId: AccountId, id: string): (field: string) => string {
  return (field) => `${accountId}|${field}|${id}`;
}
