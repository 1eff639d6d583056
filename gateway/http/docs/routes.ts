import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { projectRoot } from '../../../subgraphs/platform/project-root.ts';
import { type DocsFiles, openDocsFiles, type ReadFile } from './files.ts';

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
  // Opened at the first request: a process that nobody asks for pages has no cost.
  let files: DocsFiles | undefined;
  const answer = async (request: FastifyRequest<{ Params: { '*': string } }>, reply: FastifyReply) => {
    files ??= await openDocsFiles(folder);
    if (files === undefined) {
      return reply.code(404).type('text/plain; charset=utf-8').send(NOT_BUILT);
    }
    const file = await files.find(request.params['*']);
    return file === undefined ? reply.callNotFound() : send(request, reply, file);
  };
  // The links of the pages are relative: they need the slash, and work behind a path of a proxy.
  app.get('/docs', (_request, reply) => reply.code(308).header('location', 'docs/').send());
  app.get('/docs/*', answer);
}

function send(request: FastifyRequest, reply: FastifyReply, read: ReadFile): FastifyReply {
  const { file, content, etag, isAsset } = read;
  reply.headers({ ...HEADERS, etag, 'cache-control': isAsset ? CACHED_FOR_A_YEAR : CHECKED_EACH_TIME });
  return knows(request.headers['if-none-match'], etag)
    ? reply.code(304).send()
    : reply.type(CONTENT_TYPES[extname(file)] ?? 'application/octet-stream').send(content);
}

/** Whether `If-None-Match` names the file that is there. Source: RFC 9110, section 13.1.2. */
function knows(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
