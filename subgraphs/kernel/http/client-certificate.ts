import { type PeerCertificate, TLSSocket } from 'node:tls';
import type { FastifyRequest } from 'fastify';

/**
 * SHA-256 of the client certificate of a call to the mutual-TLS listener, 64 hexadecimal digits; undefined for calls of the
 * plain listener.
 */
export function clientCertificateOf({ raw }: Pick<FastifyRequest, 'raw'>): string | undefined {
  if (!(raw.socket instanceof TLSSocket)) {
    return undefined;
  }
  // The cast: a connection that has just closed has no certificate any more.
  const certificate = raw.socket.getPeerCertificate() as PeerCertificate | null;
  return normalise(certificate?.fingerprint256 ?? '');
}

/**
 * Whether a partner accepts this certificate. `pins` are SHA-256s, in hexadecimal with or without colons. Without pins, every
 * certificate is accepted.
 */
export function isPinned(pins: readonly string[], certificate: string): boolean {
  return pins.length === 0 || pins.some((pin) => normalise(pin) === certificate);
}

function normalise(sha256: string): string {
  return sha256.replaceAll(':', '').toLowerCase();
}
