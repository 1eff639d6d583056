import type { Config } from '../../subgraphs/platform/config/load.ts';

/**
 * Address under which clients reach this service, without a slash at its end: `PUBLIC_URL`, else made of host and port.
 * @param port the one that is listened on, where `PORT` lets the system choose
 */
export function publicUrlOf(
  { PUBLIC_URL, HOST, PORT }: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>,
  port: number = PORT,
): string {
  if (PUBLIC_URL !== undefined) {
    return PUBLIC_URL.replace(/\/+$/, '');
  }
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
