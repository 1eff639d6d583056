import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import { contentSecurityPolicy } from '../content-security-policy.ts';
import { asksForHost, isFromThisMachine } from '../loopback.ts';

/** Path of the page. `/graphql`, which the page calls, is beside it. */
const PAGE = '/graphiql';

/** Inline styles are allowed because GraphiQL's menus and dialogs insert some; its fonts stand in its style sheet. */
const CONTENT_SECURITY_POLICY = contentSecurityPolicy({
  'style-src': "'self' 'unsafe-inline'",
  'font-src': 'data:',
});

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/**
 * Serves `/graphiql` from files on this host, without a request to another host (decisions, section 5). For development:
 * it answers requests to names of this machine and to the host of `publicUrl`; others get 403. Only requests from this
 * machine get the key.
 * @param options.key the key that the headers editor starts with; a placeholder when absent
 */
export async function addGraphiQL(
  app: FastifyInstance,
  { key, publicUrl }: { key?: string | undefined; publicUrl?: string | undefined },
): Promise<void> {
  const [assets, query] = await Promise.all([findAssets(), readDefaultQuery()]);
  const served = assets.map((asset) => ({ ...asset, path: `graphiql/assets/${asset.hash}/${asset.file}` }));
  const render = (shown: string | undefined) =>
    renderPage({ key: shown, query, assets: served.map(({ path }) => path) });
  const pages = { withKey: render(key), withoutKey: render(undefined) };
  const allowed = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, { serve: false });
    scope.addHook('onRequest', async (request, reply) => rejectOtherHosts(request, reply, allowed));
    scope.get(PAGE, (request, reply) =>
      reply.headers(PAGE_HEADERS).send(isFromThisMachine(request.raw) ? pages.withKey : pages.withoutKey),
    );
    for (const { path, file, folder } of served) {
      scope.get(`/${path}`, (_request, reply) =>
        reply
          .header('x-content-type-options', 'nosniff')
          .sendFile(file, folder, { maxAge: '365d', immutable: true }),
      );
    }
  });
}

const OTHER_HOST = 'GraphiQL answers to localhost, and to the host of PUBLIC_URL.\n';

async function rejectOtherHosts(
  request: FastifyRequest,
  reply: FastifyReply,
  allowed: readonly string[],
): Promise<FastifyReply | undefined> {
  return asksForHost(request.headers, allowed)
    ? undefined
    : reply.code(403).type('text/plain; charset=utf-8').send(OTHER_HOST);
}

interface Asset {
  /**
   * Hash of the file's content, hexadecimal. It is a part of the file's address, so that the address never means other bytes.
   */
  readonly hash: string;
  readonly folder: string;
  readonly file: string;
}

/** In the order in which the page loads them: each script needs those before it. The build copies those of packages. */
function assetPaths(): string[] {
  const own = join(projectRoot(), 'gateway', 'http', 'graphiql');
  const built = join(projectRoot(), 'dist', 'graphiql');
  return [
    join(built, 'graphiql.min.css'),
    join(own, 'page.css'),
    join(built, 'react.production.min.js'),
    join(built, 'react-dom.production.min.js'),
    join(built, 'graphql-ws.min.js'),
    join(built, 'graphiql.min.js'),
    join(own, 'page.js'),
  ];
}

/** Everything that the page loads, read once for its hashes. */
function findAssets(): Promise<Asset[]> {
  return Promise.all(
    assetPaths().map(async (path) => ({
      hash: createHash('sha256')
        .update(await readFile(path))
        .digest('hex')
        .slice(0, 16),
      folder: dirname(path),
      file: basename(path),
    })),
  );
}

/** The operations that the editor starts with. */
function readDefaultQuery(): Promise<string> {
  return readFile(join(projectRoot(), 'gateway', 'http', 'graphiql', 'default-query.graphql'), 'utf8');
}

interface PageOptions {
  /** Key that the headers editor starts with; a placeholder when absent. */
  readonly key: string | undefined;
  /** Operations that the query editor starts with. */
  readonly query: string;
  /** Addresses of style sheets and scripts, relative to the page. */
  readonly assets: readonly string[];
}

const NO_KEY = 'your API key';

/** The page's HTML. Scripts and styles are files; only their settings, which are data, stand in the page itself. */
function renderPage({ key, query, assets }: PageOptions): string {
  const headers = JSON.stringify({ 'X-API-Key': key ?? NO_KEY }, null, 2);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>GraphiQL · remitgraph</title>
    <link rel="icon" href="data:,">
${assets
  .filter((asset) => asset.endsWith('.css'))
  .map(styleTag)
  .join('\n')}
  </head>
  <body>
    <div id="graphiql">Loading…</div>
    <script id="settings" type="application/json">${toScriptData({ defaultQuery: query, defaultHeaders: headers })}</script>
${assets
  .filter((asset) => asset.endsWith('.js'))
  .map(scriptTag)
  .join('\n')}
  </body>
</html>
`;
}

function styleTag(href: string): string {
  return `    <link rel="stylesheet" href="${href}">`;
}

function scriptTag(src: string): string {
  return `    <script src="${src}"></script>`;
}

/** JSON that cannot close the script element around it. */
function toScriptData(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
