import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import mercurius, { type MercuriusContext } from 'mercurius';
import { isOutage } from '../../../subgraphs/kernel/database/outage.ts';
import { CATALOGUE } from '../../../subgraphs/kernel/errors/catalogue.ts';
import { authenticateWith } from '../../../subgraphs/kernel/http/authentication.ts';
import { contextOf } from '../../../subgraphs/kernel/http/request-context.ts';
import type { RequestContext } from '../../../subgraphs/kernel/principal.ts';
import type { Engine } from '../../engine/index.ts';
import type { ConsoleCookie } from '../console-cookie.ts';
import { type Credential, type Credentials, credentialOf } from '../credentials.ts';
import type { ClientDocuments } from '../documents/client-documents.ts';
import type { Revocations } from '../revocation.ts';
import { answerRequest } from './answer.ts';
import { addGraphQLChecks, sendFailure } from './checks.ts';
import { createEventStreams, type EventStreamOptions, type EventStreams } from './event-streams.ts';

interface GraphQLDeps extends Pick<EventStreamOptions, 'clients' | 'drain'> {
  engine: Engine<RequestContext>;
  documents: ClientDocuments;
  credentials: Credentials;
  /** Without it, no cookie counts. */
  consoleCookie?: Pick<ConsoleCookie, 'credentialOf'>;
  revocations: Pick<Revocations, 'watch'>;
}

const PATH = '/graphql';

/**
 * Serves `/graphql` over HTTP: our checks and answers around mercurius, which serves the route. Our engine takes over at
 * `app.graphql`; mercurius runs nothing itself. A client that accepts `text/event-stream` gets its results as Server-Sent
 * Events.
 */
export async function addGraphQL(app: FastifyInstance, deps: GraphQLDeps): Promise<void> {
  const streams = createEventStreams(deps);
  app.addHook('preClose', async () => streams.close());
  await app.register(async (scope) => {
    const whoCalls = (request: FastifyRequest) =>
      deps.credentials.authenticate(requestCredential(deps, request));
    scope.addHook('onRequest', authenticateWith(whoCalls, answerUnknownKey));
    addGraphQLChecks(scope, PATH, deps.documents, isOutage);
    scope.addHook('preHandler', satisfyMercurius);
    await scope.register(mercurius, {
      schema: deps.engine.publicSchema,
      path: PATH,
      graphiql: false,
      context: (request, reply) => ({ requestContext: contextOf(request, reply) }),
      errorHandler: false,
      additionalRouteOptions: { schema: {} },
    });
    scope.graphql = Object.assign(runBy(deps, streams), scope.graphql) as unknown as typeof scope.graphql;
  });
}

type SeamContext = MercuriusContext & { requestContext: RequestContext };

/** A cookie's session counts only for `POST`: our pages send nothing else. */
function requestCredential({ consoleCookie }: GraphQLDeps, request: FastifyRequest): Credential | undefined {
  const session = request.method === 'POST' ? consoleCookie?.credentialOf(request) : undefined;
  return credentialOf(request.headers, session);
}

function runBy(deps: GraphQLDeps, streams: EventStreams) {
  const { engine } = deps;
  return async (_query: string, context: SeamContext): Promise<unknown> => {
    const { reply, requestContext } = context;
    const checked = reply.request.graphqlRequest;
    if (!checked) {
      throw new TypeError('A request is checked before it is run');
    }
    const answer = await answerRequest(engine, checked, requestContext, reply, streams);
    if (answer instanceof Readable) {
      endWhenRevoked(deps, reply.request, answer, streams);
    }
    return answer;
  };
}

/** A stream ends with its key, token or session: a revocation also concerns what is open. */
function endWhenRevoked(
  deps: GraphQLDeps,
  request: FastifyRequest,
  body: Readable,
  streams: EventStreams,
): void {
  const credential = requestCredential(deps, request);
  const { principal } = request;
  if (credential !== undefined && principal !== null) {
    body.once(
      'close',
      deps.revocations.watch(credential, principal, () => streams.revoke(body)),
    );
  }
}

/** Mercurius needs a document in each request, and would read the rest of the request again. It runs none. */
const STAND_IN = { query: '{ __typename }' };

function satisfyMercurius(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  request.body = STAND_IN;
  request.query = STAND_IN;
  done();
}

function answerUnknownKey(reply: FastifyReply): FastifyReply {
  const { message } = CATALOGUE.UNAUTHENTICATED;
  return sendFailure(reply, { status: 401, code: 'UNAUTHENTICATED', message });
}
