import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientCertificateOf } from '../../../subgraphs/kernel/http/client-certificate.ts';

/**
 * Lets calls of the mutual-TLS listener reach only the routes below `prefix`; `answerNotFound` answers all others. It
 * checks the matched route, not the path, so it does not depend on the parsing of paths.
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
