import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import { addBuiltPages } from '../built-pages.ts';

/** Files for tools, which browsers save. */
const FILES = ['schema.graphql', 'asyncapi.json'];

interface DocsOptions {
  /** Where the pages are. */
  readonly folder?: string;
  /** The address of the service; without it the links of `/llms.txt` begin with a slash. */
  readonly publicUrl?: string | undefined;
}

/** Stands in `llms.txt` for the address of the service, without a slash at its end. */
const ROOT_MARK = '{{root}}';

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
      if (FILES.includes(address)) {
        reply.header('content-disposition', 'attachment');
        send(address);
      } else {
        send(address.endsWith('.md') ? address : `${address === '' ? 'index' : address}.html`);
      }
    },
  });
  app.get('/llms.txt', (_request, reply) => {
    const file = join(folder, 'llms.txt');
    return existsSync(file)
      ? reply
          .headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' })
          .type('text/plain; charset=utf-8')
          .send(readFileSync(file, 'utf8').replaceAll(ROOT_MARK, publicUrl.replace(/\/+$/, '')))
      : reply.callNotFound();
  });
}
