import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asksForHost, isFromThisMachine } from '../loopback.ts';
import { findAssets, readDefaultQuery } from './assets.ts';
import { CONTENT_SECURITY_POLICY, renderPage } from './page.ts';

/** Path of the page. `/graphql`, which the page calls, is beside it. */
const PAGE = '/graphiql';

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/**
 * Serves `/graphiql` from packages on this host, without a request to another host (decisions, section 5). For development:
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
