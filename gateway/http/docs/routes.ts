import { createReadStream } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { projectRoot } from '../../../subgraphs/platform/project-root.ts';
import { type DocsFile, type DocsFiles, readDocsFiles } from './files.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** A page loads and calls this host alone. Only the pages that try calls have a script; nothing stands inline. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** An asset's address has the hash of its content; a page's has not. */
const CACHED_FOR_A_YEAR = 'public, max-age=31536000, immutable';
const CHECKED_EACH_TIME = 'no-cache';

const NOT_BUILT =
  'This copy was built without its documentation: npm run build makes it where the development dependencies are installed.\n';

/**
 * Serves the documentation pages below `/docs`, which `npm run build` has made (`gateway/cli/docs`). They hold no key and
 * no data, and are the same for everybody. So they are open like the OpenAPI documents: without a key, in production too, to
 * every host name.
 * @param folder where the pages are
 */
export function addDocs(app: FastifyInstance, folder = join(projectRoot(), 'dist', 'docs')): void {
  // Read at the first request: a process that nobody asks for pages has no cost.
  let read: Promise<DocsFiles | undefined> | undefined;
  const answer = async (request: FastifyRequest<{ Params: { '*': string } }>, reply: FastifyReply) => {
    read ??= readDocsFiles(folder);
    const files = await read;
    if (files === undefined) {
      return reply.code(404).type('text/plain; charset=utf-8').send(NOT_BUILT);
    }
    const file = files.get(request.params['*']);
    return file === undefined ? reply.callNotFound() : send(request, reply, file, folder);
  };
  // The links of the pages are relative: they need the slash, and work behind a path of a proxy.
  app.get('/docs', (_request, reply) => reply.code(308).header('location', 'docs/').send());
  app.get('/docs/*', answer);
}

function send(request: FastifyRequest, reply: FastifyReply, file: DocsFile, folder: string): FastifyReply {
  const etag = `"${file.hash}"`;
  reply.headers({
    ...HEADERS,
    etag,
    'cache-control': file.isAsset ? CACHED_FOR_A_YEAR : CHECKED_EACH_TIME,
  });
  if (knows(request.headers['if-none-match'], etag)) {
    return reply.code(304).send();
  }
  return reply
    .headers({
      'content-type': CONTENT_TYPES[extname(file.file)] ?? 'application/octet-stream',
      'content-length': file.bytes,
    })
    .send(createReadStream(join(folder, file.file)));
}

/** Whether `If-None-Match` names the file that is there. Source: RFC 9110, section 13.1.2. */
function knows(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
