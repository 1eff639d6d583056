import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientCertificateOf } from '../../../subgraphs/platform/serve/client-certificate.ts';

/**
 * Lets calls of the mutual-TLS listener reach the routes below `prefix` alone; `answerNotFound` answers all others.
 * By the route that was found, not by the path: nothing is left to how a path is read.
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
