import { parseUrl } from '../kernel/parse-url.ts';
import { stillValid } from '../partners/tenants/former-secrets.ts';
import type { Delivery } from './present.ts';
import { MASK, maskedHeaders } from './sign.ts';

/**
 * The headers of an attempt that began at `at`, one per line, with names as on the wire; signatures and credentials are
 * masked. They are made again from the delivery, as the attempt made them. Headers that HTTP itself needs are missing: host,
 * connection and content-length.
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
  const { hasSecret, formerSecrets } = signing;
  const signatures = hasSecret ? 1 + stillValid(formerSecrets, at).length : 0;
  const seconds = Math.floor(at.getTime() / 1000);
  const headers = {
    ...maskedHeaders({ scheme, event, deliveryId, at: seconds }, signatures),
    ...(hasCredentials(url) ? { Authorization: `Basic ${MASK}` } : {}),
  };
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

function hasCredentials(url: string): boolean {
  const { username = '', password = '' } = parseUrl(url) ?? {};
  return username !== '' || password !== '';
}
