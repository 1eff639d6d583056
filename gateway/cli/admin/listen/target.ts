import { hasCredentials, parseUrl } from '../../../../subgraphs/kernel/parse-url.ts';
import { UsageError } from '../command.ts';

const OWN_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The server to forward webhooks to: on this machine, unless `anyHost`. Webhooks name people, so they must not leave the
 * machine by a typing error. @throws UsageError for anything else
 */
export function readTarget(text: string, anyHost: boolean): URL {
  const url = parseUrl(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError('--forward takes an http:// or https:// URL, such as http://localhost:3000/hook.');
  }
  if (hasCredentials(url)) {
    throw new UsageError('--forward takes a URL without user and password.');
  }
  if (!anyHost && !OWN_HOSTS.includes(url.hostname)) {
    throw new UsageError(
      `--forward leads to ${url.hostname}; without --any-host it is one of ${OWN_HOSTS.join(', ')}.`,
    );
  }
  return url;
}
