import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Base64url characters of a tag: 132 bits. */
const TAG_LENGTH = 22;

/**
 * Sends the bytes of an answer. A successful lookup (GET, HEAD) has a strong `ETag`, and answers 304 without a body to a request
 * whose `If-None-Match` has it (RFC 9110, sections 8.8.3 and 13.1.2). The lookup runs either way: a 304 saves bytes, and is
 * never older than a 200.
 */
export function sendBytes(reply: FastifyReply, contentType: string, bytes: Buffer): FastifyReply {
  const { method, headers, principal } = reply.request;
  if (principal && reply.statusCode === 200 && (method === 'GET' || method === 'HEAD')) {
    const tag = tagOf(principal.keyId, bytes);
    reply.header('etag', tag);
    if (isKnown(headers['if-none-match'], tag)) {
      // To HEAD, Fastify adds the length 0 of no body; a 304 has the length of the 200 or none (RFC 9110, section 8.6).
      return reply.code(304).send(method === 'HEAD' ? Readable.from([]) : undefined);
    }
  }
  return reply.header('content-type', contentType).send(bytes);
}

/** The tag of these bytes for a key. The same bytes have another tag for another key, so that a tag reveals nothing of another partner. */
function tagOf(keyId: string, bytes: Buffer): string {
  const digest = createHash('sha256').update(keyId).update('\0').update(bytes).digest('base64url');
  return `"${digest.slice(0, TAG_LENGTH)}"`;
}

/** Whether the list of a client's tags, weak ones among them, has the tag. A tag contains no quote, so a part of another one cannot match. */
function isKnown(given: string | undefined, tag: string): boolean {
  return given !== undefined && (given.trim() === '*' || given.includes(tag));
}
