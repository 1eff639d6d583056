import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import { type BuiltFiles, openBuiltFiles, type ReadFile, toSend } from '../built-pages/files.ts';
import { sendBuilt } from '../built-pages/send.ts';

const NOT_BUILT =
  'This copy was built without the console: npm run build makes it where the development dependencies are installed.\n';

/** The most folders that an address of a screen has below `/console/`. */
const DEEPEST = 4;
/** Placeholder in the page for the relative path to `/console/`. */
const ROOT_MARK = '{{root}}';

/**
 * Serves the console below `/console`, which `npm run build` has made (`gateway/build/console`). Its files are the same
 * for everybody and hold no data: the page reads all data from the graph with the visitor's session. One page has all
 * screens: every address that is not a file gets this page, which then finds its screen. It links its scripts
 * relative to its address, because a proxy may have put the service below a path.
 * @param folder where the files are
 */
export function addConsole(app: FastifyInstance, folder = join(projectRoot(), 'dist', 'console')): void {
  let files: BuiltFiles | undefined;
  const findPage = createPages();
  const answer = async (request: FastifyRequest<{ Params: { '*': string } }>, reply: FastifyReply) => {
    files ??= await openBuiltFiles(folder);
    if (files === undefined) {
      return reply.code(404).type('text/plain; charset=utf-8').send(NOT_BUILT);
    }
    const path = request.params['*'];
    // An old page may request a file of a former build: the answer must not be the page.
    const file = path.startsWith('assets/') ? await files.find(path) : await findPage(files, request.url);
    return file === undefined ? reply.callNotFound() : sendBuilt(request, reply, file);
  };
  app.get('/console', (_request, reply) => reply.code(308).header('location', 'console/').send());
  app.get('/console/*', answer);
}

/** Finds the page for an address; undefined for one that is deeper than any screen's. Each depth's page is made once. */
function createPages(): (files: BuiltFiles, url: string) => Promise<ReadFile | undefined> {
  const pages = new Map<number, ReadFile>();
  return async (files, url) => {
    const depth = depthOf(url);
    const page = await files.find('');
    if (depth > DEEPEST || page === undefined) {
      return undefined;
    }
    const made = pages.get(depth) ?? (await withRoot(page, '../'.repeat(depth) || './'));
    pages.set(depth, made);
    return made;
  };
}

async function withRoot(page: ReadFile, root: string): Promise<ReadFile> {
  return toSend(page, Buffer.from(String(page.content).replaceAll(ROOT_MARK, root)));
}

/** How many folders below `/console/` a browser sees in an address. A slash that is part of a name is escaped there. */
function depthOf(url: string): number {
  const [path = ''] = url.split('?');
  return path.split('/').length - '/console/'.split('/').length;
}
