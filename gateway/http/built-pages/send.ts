import { extname } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { contentSecurityPolicy } from '../content-security-policy.ts';
import type { ReadFile } from './files.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const HEADERS = {
  'content-security-policy': contentSecurityPolicy(),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** An asset's address has the hash of its content; a page's has not. */
const CACHED_FOR_A_YEAR = 'public, max-age=31536000, immutable';
const CHECKED_EACH_TIME = 'no-cache';

/** Sends a built file, with gzip if the client accepts it; 304 if the browser already has it. */
export function sendBuilt(request: FastifyRequest, reply: FastifyReply, read: ReadFile): FastifyReply {
  const isZipped = takesGzip(request.headers['accept-encoding']);
  const etag = isZipped ? read.etag.replace(/"$/, '-gzip"') : read.etag;
  reply.headers({
    ...HEADERS,
    vary: [reply.getHeader('vary'), 'accept-encoding'].flat().filter(Boolean).join(', '),
    etag,
    'cache-control': read.isAsset ? CACHED_FOR_A_YEAR : CHECKED_EACH_TIME,
  });
  if (knows(request.headers['if-none-match'], etag)) {
    return reply.code(304).send();
  }
  reply.type(CONTENT_TYPES[extname(read.file)] ?? 'application/octet-stream');
  return isZipped ? reply.header('content-encoding', 'gzip').send(read.zipped) : reply.send(read.content);
}

/** Whether the header names gzip, and not with the weight 0. Source: RFC 9110, section 12.5.3. */
function takesGzip(header: string | undefined): boolean {
  return (header ?? '')
    .split(',')
    .some((one) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0+)?\s*$)[\d.]+\s*)?$/i.test(one));
}

/** Whether `If-None-Match` names the file that is there. Source: RFC 9110, section 13.1.2. */
function knows(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
