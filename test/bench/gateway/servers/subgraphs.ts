import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createInProcessTransport, type SubgraphTransport } from '../../../../gateway/engine/index.ts';
import { SUBGRAPH_NAMES, subgraphSchema } from '../graph.ts';

/**
 * All subgraphs over HTTP, for every gateway of the benchmark, as cheap as can be: each distinct request is run once, by
 * graphql-jit, and answered from memory after that. Its environment: `PORT`.
 */
const transports: Readonly<Record<string, SubgraphTransport>> = Object.fromEntries(
  SUBGRAPH_NAMES.map((name) => [`/${name}`, createInProcessTransport(subgraphSchema(name))]),
);

const MOST_ANSWERS = 5_000;
const known = new Map<string, Buffer>();

async function run(path: string, body: string): Promise<Buffer> {
  const transport = transports[path];
  if (transport === undefined) {
    throw new Error(`There is no subgraph at ${path}`);
  }
  const { query, variables = {}, operationName = null } = JSON.parse(body);
  const fetch = { subgraph: path, document: query, operationKind: 'query' as const, operationName };
  const context = { principal: null, requestId: 'bench' };
  const answer = Buffer.from(JSON.stringify(await transport.execute(fetch, variables ?? {}, context)));
  if (known.size < MOST_ANSWERS) {
    known.set(path + body, answer);
  }
  return answer;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const body = (await buffer(request)).toString();
  const path = request.url ?? '';
  const answer = known.get(path + body) ?? (await run(path, body));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
  response.end(answer);
}

const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    process.stderr.write(`${error}\n`);
    response.writeHead(500).end();
  });
});
server.keepAliveTimeout = 60_000;
process.once('SIGTERM', () => {
  server.close(() => process.exit(0));
  server.closeAllConnections();
});
server.listen(Number(process.env.PORT), '127.0.0.1');
