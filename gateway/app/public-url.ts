import type { Config } from '../../subgraphs/kernel/config/load.ts';

/**
 * Address of this service for clients, without a slash at its end: `PUBLIC_URL`, or else made from host and port. @param port
 * the actual port, when `PORT` lets the system choose
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
