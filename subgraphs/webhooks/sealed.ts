import type { AccountId } from '../kernel/account.ts';
import { toBuffer } from '../kernel/binary.ts';
import type { Box } from '../kernel/crypto/box.ts';
import { type FormerSecret, openFormerSecrets } from '../partners/tenants/former-secrets.ts';
import type { SignatureScheme } from '../partners/tenants/signature-scheme.ts';
import { openHeaders, type StaticHeader } from '../partners/tenants/static-headers.ts';
import type { AttemptDocument, DeliveryDocument } from './model.ts';

/** The context that a field of a record is sealed with: a value that was moved to another record does not open. */
export function sealedContext({ accountId, _id }: { accountId: AccountId; _id: string }) {
  return (field: 'url' | 'formerUrls' | 'secret' | 'formerSecrets' | 'headers' | 'body' | 'answer') =>
    `${accountId}|${field}|${_id}`;
}

/** A former URL of a delivery, which a replay to its endpoint's current URL replaced. */
export interface FormerUrl {
  readonly url: string;
  /** When the replay replaced it, by the account's clock. */
  readonly until: Date;
}

/** The URLs, the secrets, the partner's own headers and the bytes of a delivery. */
interface OpenedDelivery {
  readonly url: string;
  /** Oldest first. */
  readonly formerUrls: readonly FormerUrl[];
  readonly secret: string | undefined;
  readonly formerSecrets: readonly FormerSecret[];
  readonly signatureScheme: SignatureScheme;
  readonly headers: readonly StaticHeader[];
  readonly body: Buffer;
}

/** @throws when the record was sealed under another key or has been changed */
export function openDelivery(box: Box, document: DeliveryDocument): OpenedDelivery {
  const context = sealedContext(document);
  return {
    url: box.open(toBuffer(document.url), context('url')).toString(),
    formerUrls: openFormerUrls(box, document),
    secret: document.secret && box.open(toBuffer(document.secret), context('secret')).toString(),
    formerSecrets: openFormerSecrets(box, document.formerSecrets, context('formerSecrets')),
    signatureScheme: document.signatureScheme ?? 'DOCUMENTED',
    headers: openHeaders(box, document.headers, context('headers')),
    body: box.open(toBuffer(document.body), context('body')),
  };
}

/** @throws when the record was sealed under another key or has been changed */
function openFormerUrls(box: Box, document: DeliveryDocument): FormerUrl[] {
  if (!document.formerUrls) {
    return [];
  }
  const sealed = toBuffer(document.formerUrls);
  const stored: { url: string; until: string }[] = JSON.parse(
    box.open(sealed, sealedContext(document)('formerUrls')).toString(),
  );
  return stored.map(({ url, until }) => ({ url, until: new Date(until) }));
}

/** @throws when the record was sealed under another key or has been changed */
export function openAnswer(box: Box, attempt: AttemptDocument): Buffer {
  return box.open(toBuffer(attempt.answer), sealedContext(attempt)('answer'));
}
