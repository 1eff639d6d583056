import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import { addBuiltPages } from '../built-pages.ts';
import { LLMS, ROOT_MARK, TOOL_FILES } from './files.ts';

interface DocsOptions {
  /** Where the pages are. */
  readonly folder?: string;
  /** The address of the service; without it the links of `/llms.txt` begin with a slash. */
  readonly publicUrl?: string | undefined;
}

/**
 * Serves the documentation pages below `/docs`, which `npm run build` has made (`gateway/build/docs`), each also as Markdown at its
 * address with `.md` (`/docs/index.md`), and their list for language models at `/llms.txt`. They are public like the OpenAPI documents:
 * without a key, in production too, for every host name.
 */
export async function addDocs(
  app: FastifyInstance,
  { folder = join(projectRoot(), 'dist', 'docs'), publicUrl = '' }: DocsOptions = {},
): Promise<void> {
  await addBuiltPages(app, {
    path: '/docs',
    folder,
    name: 'its documentation',
    page: (address, _request, reply, send) => {
      if (Object.hasOwn(TOOL_FILES, address)) {
        reply.header('content-disposition', 'attachment');
        send(address);
      } else {
        send(address.endsWith('.md') ? address : `${address === '' ? 'index' : address}.html`);
      }
    },
  });
  const file = join(folder, LLMS);
  if (existsSync(file)) {
    const text = readFileSync(file, 'utf8').replaceAll(ROOT_MARK, publicUrl.replace(/\/+$/, ''));
    app.get('/llms.txt', (_request, reply) =>
      reply
        .headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' })
        .type('text/plain; charset=utf-8')
        .send(text),
    );
  }
}
