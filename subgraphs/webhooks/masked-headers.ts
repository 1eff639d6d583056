import { hasCredentials, shownHeaders } from './attempt-headers.ts';
import type { Delivery } from './present.ts';
import { MASK } from './sign.ts';

/**
 * The headers of an attempt that was signed at `at`, one per line, with names as on the wire; signatures, credentials and values of the
 * partner's own headers are masked. They are made again from the delivery, as the attempt made them. Headers that HTTP itself needs
 * are missing: host, connection and content-length.
 */
export function maskHeaders(
  {
    id: deliveryId,
    scheme,
    event,
    url,
    signing,
  }: Pick<Delivery, 'id' | 'scheme' | 'event' | 'url' | 'signing'>,
  at: Date,
): string[] {
  const { signatureScheme, headerNames, signers } = signing;
  const headers = shownHeaders({
    ...{ scheme, event, deliveryId, url, signatureScheme, headerNames },
    at: Math.floor(at.getTime() / 1000),
    signers: signers.filter(({ until }) => until === null || until > at),
  });
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

/** A URL without its credentials. */
export function maskCredentials(url: string): string {
  if (!hasCredentials(url)) {
    return url;
  }
  const masked = new URL(url);
  masked.username = MASK;
  masked.password = '';
  return masked.href;
}
