import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Lets handlers of this scope have bodies as text, whatever their content type says: the text is what is parsed,
 * compared and counted, and a reader of floats would lose digits of amounts.
 */
export function takeBodiesAsText(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    // One that cannot be read would be an error before any parser sees the body.
    raw.headers['content-type'] = 'application/json';
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** What stands for a body that is not UTF-8: no JSON either, and not the same as none. */
const NOT_TEXT = '\uFFFD';

/** The body as text; empty when there is none. */
export function bodyText(request: FastifyRequest): string {
  if (!Buffer.isBuffer(request.body)) {
    return '';
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(request.body);
  } catch {
    return NOT_TEXT;
  }
}
