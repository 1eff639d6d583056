import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import { type BuiltFiles, openBuiltFiles } from '../built-pages/files.ts';
import { sendBuilt } from '../built-pages/send.ts';

const NOT_BUILT =
  'This copy was built without its documentation: npm run build makes it where the development dependencies are installed.\n';

/**
 * Serves the documentation pages below `/docs`, which `npm run build` has made (`gateway/build/docs`). They hold no key
 * and no data, and are the same for everybody. So they are public like the OpenAPI documents: without a key, in
 * production too, for every host name.
 * @param folder where the pages are
 */
export function addDocs(app: FastifyInstance, folder = join(projectRoot(), 'dist', 'docs')): void {
  // Opened at the first request, so that processes without such requests have no cost.
  let files: BuiltFiles | undefined;
  const answer = async (request: FastifyRequest<{ Params: { '*': string } }>, reply: FastifyReply) => {
    files ??= await openBuiltFiles(folder);
    if (files === undefined) {
      return reply.code(404).type('text/plain; charset=utf-8').send(NOT_BUILT);
    }
    const file = await files.find(request.params['*']);
    return file === undefined ? reply.callNotFound() : sendBuilt(request, reply, file);
  };
  // The links of the pages are relative: they need the slash, and work behind a path of a proxy.
  app.get('/docs', (_request, reply) => reply.code(308).header('location', 'docs/').send());
  app.get('/docs/*', answer);
}
