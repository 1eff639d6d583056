import type { FastifyRequest } from 'fastify';

/** The message of a body that has a content encoding. */
export const CONTENT_ENCODED =
  'The request body must not have a content encoding, such as gzip: send it as it is.';

/** Whether a request has a body that is encoded: bodies are read as they come (RFC 9110, section 15.5.16: 415). */
export function isContentEncoded({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const encoding = headers['content-encoding'];
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return (
    encoding !== undefined &&
    hasBody &&
    method !== 'GET' &&
    method !== 'HEAD' &&
    !/^\s*(?:identity\s*(?:,\s*identity\s*)*)?$/i.test(encoding)
  );
}
