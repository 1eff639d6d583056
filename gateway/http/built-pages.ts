import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contentSecurityPolicy } from './content-security-policy.ts';

/** Pages that `npm run build` has made, with their assets in the folder `assets`. */
interface BuiltPages {
  /** The path that they are below, such as `/docs`. */
  readonly path: string;
  /** The folder of their files. A file may have a compressed copy beside it, with `.gz` at the end of its name. */
  readonly folder: string;
  /** For the answer of a copy that was built without them. */
  readonly name: string;
  /**
   * Answers an address below the path, unless it is that of an asset.
   * @param send sends a file of the folder, which the browser checks each time; 404 if there is none
   */
  page(address: string, request: FastifyRequest, reply: FastifyReply, send: (file: string) => void): void;
}

const HEADERS = {
  'content-security-policy': contentSecurityPolicy(),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
};

/**
 * Serves built pages by `@fastify/static`. They hold no key and no data, and are the same for everybody. The address of an asset has
 * the hash of its content, so browsers keep it for a year.
 */
export async function addBuiltPages(app: FastifyInstance, pages: BuiltPages): Promise<void> {
  const { path, folder, name } = pages;
  const notBuilt = `This copy was built without ${name}: npm run build makes it where the development dependencies are installed.\n`;
  let isBuilt = false;
  const answer = (request: FastifyRequest<{ Params: { '*': string } }>, reply: FastifyReply): unknown => {
    isBuilt ||= existsSync(join(folder, 'index.html'));
    if (!isBuilt) {
      return reply.code(404).type('text/plain; charset=utf-8').send(notBuilt);
    }
    const address = request.params['*'];
    const send = (file: string, options: Parameters<FastifyReply['sendFile']>[2]) => {
      if (file.split('/').includes('..') || !existsSync(join(folder, file))) {
        return reply.callNotFound();
      }
      const vary = [reply.getHeader('vary'), 'accept-encoding'].flat().filter(Boolean).join(', ');
      return reply.headers({ ...HEADERS, vary }).sendFile(file, folder, options);
    };
    return address.startsWith('assets/')
      ? send(address, { maxAge: '365d', immutable: true })
      : pages.page(address, request, reply.headers(HEADERS), (file) => send(file, { cacheControl: false }));
  };
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, { serve: false, preCompressed: true });
    // The links of the pages are relative: they need the slash, and work behind a path of a proxy.
    scope.get(path, (_request, reply) =>
      reply
        .code(308)
        .header('location', `${path.slice(1)}/`)
        .send(),
    );
    scope.get(`${path}/*`, answer);
  });
}
