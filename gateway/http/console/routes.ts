import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { once } from '../../../subgraphs/kernel/once.ts';
import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import { addBuiltPages } from '../built-pages.ts';

/** The most folders that an address of a screen has below `/console/`. */
const DEEPEST = 4;
/** Placeholder in the page for the relative path to `/console/`. */
const ROOT_MARK = '{{root}}';

/**
 * Serves the console below `/console`, which `npm run build` has made (`gateway/build/console`). The page reads all data from the
 * graph with the visitor's session. One page has all screens: every address that is not an asset gets this page, which then
 * finds its screen. It links its scripts relative to its address, because a proxy may have put the service below a path.
 * @param folder where the files are
 */
export function addConsole(
  app: FastifyInstance,
  folder = join(projectRoot(), 'dist', 'console'),
): Promise<void> {
  const readPage = once(() => readFileSync(join(folder, 'index.html'), 'utf8'));
  return addBuiltPages(app, {
    path: '/console',
    folder,
    name: 'the console',
    page: (_address, { url }, reply) => {
      const depth = depthOf(url);
      if (depth > DEEPEST) {
        return reply.callNotFound();
      }
      return reply
        .type('text/html; charset=utf-8')
        .send(readPage().replaceAll(ROOT_MARK, '../'.repeat(depth) || './'));
    },
  });
}

/** How many folders below `/console/` a browser sees in an address. A slash that is part of a name is escaped there. */
function depthOf(url: string): number {
  const [path = ''] = url.split('?');
  return path.split('/').length - '/console/'.split('/').length;
}
