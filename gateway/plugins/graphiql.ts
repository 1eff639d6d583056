import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { findAssets, readDefaultQuery } from '../graphiql/assets.ts';
import { CONTENT_SECURITY_POLICY, renderPage } from '../graphiql/page.ts';

/** Where the page stands; `/graphql`, which it talks to, is beside it. */
const PAGE = '/graphiql';

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  // It may hold a key.
  'cache-control': 'no-store',
};

/**
 * `/graphiql` from packages that we serve ourselves, without a request to another host (decisions, section 5).
 * For development: whoever reaches the page gets the key.
 * @param options.key the key that the headers editor starts with; a placeholder when absent
 */
export async function addGraphiQL(
  app: FastifyInstance,
  { key }: { key?: string | undefined },
): Promise<void> {
  const [assets, query] = await Promise.all([findAssets(), readDefaultQuery()]);
  const served = assets.map((asset) => ({ ...asset, path: `graphiql/assets/${asset.hash}/${asset.file}` }));
  const page = renderPage({ key, query, assets: served.map(({ path }) => path) });
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, { serve: false });
    scope.get(PAGE, (_request, reply) => reply.headers(PAGE_HEADERS).send(page));
    for (const { path, file, folder } of served) {
      scope.get(`/${path}`, (_request, reply) =>
        reply
          .header('x-content-type-options', 'nosniff')
          .sendFile(file, folder, { maxAge: '365d', immutable: true }),
      );
    }
  });
}
