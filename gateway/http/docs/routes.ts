import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import { addBuiltPages } from '../built-pages.ts';

/** Files for tools, which browsers save. */
const FILES = ['schema.graphql', 'asyncapi.json'];

/**
 * Serves the documentation pages below `/docs`, which `npm run build` has made (`gateway/build/docs`). They are public like the
 * OpenAPI documents: without a key, in production too, for every host name.
 * @param folder where the pages are
 */
export function addDocs(app: FastifyInstance, folder = join(projectRoot(), 'dist', 'docs')): Promise<void> {
  return addBuiltPages(app, {
    path: '/docs',
    folder,
    name: 'its documentation',
    page: (address, _request, reply, send) => {
      if (FILES.includes(address)) {
        reply.header('content-disposition', 'attachment');
        send(address);
      } else {
        send(`${address === '' ? 'index' : address}.html`);
      }
    },
  });
}
