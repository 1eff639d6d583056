import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { projectRoot } from '../../../subgraphs/platform/project-root.ts';
import { type BuiltFiles, openBuiltFiles } from '../built-pages/files.ts';
import { sendBuilt } from '../built-pages/send.ts';

const NOT_BUILT =
  'This copy was built without the console: npm run build makes it where the development dependencies are installed.\n';

/**
 * Serves the console below `/console`, which `npm run build` has made (`gateway/cli/console`). Its files are the same for
 * everybody and hold no data: what the page shows it reads from the graph, by the session of who looks at it. One page has all
 * screens: each address that is no file is answered with it, and the page finds its screen.
 * @param folder where the files are
 */
export function addConsole(app: FastifyInstance, folder = join(projectRoot(), 'dist', 'console')): void {
  let files: BuiltFiles | undefined;
  const answer = async (request: FastifyRequest<{ Params: { '*': string } }>, reply: FastifyReply) => {
    files ??= await openBuiltFiles(folder);
    if (files === undefined) {
      return reply.code(404).type('text/plain; charset=utf-8').send(NOT_BUILT);
    }
    const path = request.params['*'];
    // An old page may ask for a file of a former build: that must not become the page.
    const file = await files.find(path.startsWith('assets/') ? path : '');
    return file === undefined ? reply.callNotFound() : sendBuilt(request, reply, file);
  };
  app.get('/console', (_request, reply) => reply.code(308).header('location', 'console/').send());
  app.get('/console/*', answer);
}
