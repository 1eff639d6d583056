import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientCertificateOf } from '../../../subgraphs/platform/serve/client-certificate.ts';

/**
 * Lets calls of the mutual-TLS listener reach only the routes below `prefix`; `answerNotFound` answers all others. The found
 * route decides, not the path, so nothing depends on how a path is read.
 */
export function confineMtls(
  app: FastifyInstance,
  prefix: string,
  answerNotFound: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isConfined = clientCertificateOf(request) !== undefined;
    if (isConfined && !request.routeOptions.url?.startsWith(prefix)) {
      answerNotFound(request, reply);
    } else {
      done();
    }
  });
}
