import type { AccountId } from '../kernel/account.ts';
import { toBuffer } from '../kernel/binary.ts';
import type { Box } from '../kernel/crypto/box.ts';
import { type FormerSecret, openFormerSecrets } from '../partners/tenants/former-secrets.ts';
import type { AttemptDocument, DeliveryDocument } from './model.ts';

/** The context that a field of a record is sealed with: a value that was moved to another record does not open. */
export function sealedContext({ accountId, _id }: { accountId: AccountId; _id: string }) {
  return (field: 'url' | 'secret' | 'formerSecrets' | 'body' | 'answer') => `${accountId}|${field}|${_id}`;
}

/** The URL, the secrets and the bytes of a delivery. */
interface OpenedDelivery {
  readonly url: string;
  readonly secret: string | undefined;
  readonly formerSecrets: readonly FormerSecret[];
  readonly body: Buffer;
}

/** @throws when the record was sealed under another key or has been changed */
export function openDelivery(box: Box, document: DeliveryDocument): OpenedDelivery {
  const context = sealedContext(document);
  return {
    url: box.open(toBuffer(document.url), context('url')).toString(),
    secret: document.secret && box.open(toBuffer(document.secret), context('secret')).toString(),
    formerSecrets: openFormerSecrets(box, document.formerSecrets, context('formerSecrets')),
    body: box.open(toBuffer(document.body), context('body')),
  };
}

/** @throws when the record was sealed under another key or has been changed */
export function openAnswer(box: Box, attempt: AttemptDocument): Buffer {
  return box.open(toBuffer(attempt.answer), sealedContext(attempt)('answer'));
}
