import { createHash, timingSafeEqual } from 'node:crypto';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { httpTimeouts } from '../../http/http-timeouts.ts';
import { isFromThisMachine } from '../../http/loopback.ts';

/** The most bytes of a message: none of the tools takes much. */
const MAX_MESSAGE_BYTES = 64 * 1024;
const PATH = '/mcp';

interface McpHttpDeps {
  /** Callers send it as `Authorization: Bearer TOKEN`. */
  readonly token: string;
  /** Makes a server for one message. */
  readonly createServer: () => McpServer;
}

/**
 * Serves MCP by Streamable HTTP without sessions: each message is answered on its own, with JSON. Only programs of this machine that have the
 * token get an answer; pages of browsers get none, because they send an `Origin`.
 * Source: Model Context Protocol, "Transports", Streamable HTTP.
 */
export function createMcpHttp({ token, createServer }: McpHttpDeps): FastifyInstance {
  const app = Fastify({ bodyLimit: MAX_MESSAGE_BYTES, ...httpTimeouts() });
  const expected = digest(`Bearer ${token}`);
  app.addHook('onRequest', async (request, reply) => {
    if (!isFromThisMachine(request.raw) || request.headers.origin !== undefined) {
      return reply.code(403).send({ message: 'Only programs of this machine are answered.' });
    }
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
      return reply.code(401).header('www-authenticate', 'Bearer').send({ message: 'This needs TOKEN.' });
    }
  });
  app.post(PATH, async (request, reply) => {
    // The answer to a batch would never end if one of its messages cancels another.
    if (Array.isArray(request.body)) {
      return reply.code(400).send({ message: 'Send one message in each request.' });
    }
    const { status, headers, text } = await exchange(createServer(), request);
    return reply.code(status).headers(headers).send(text);
  });
  // There are no streams and no sessions to end.
  app.route({
    method: ['GET', 'DELETE'],
    url: PATH,
    handler: (_request, reply) => reply.code(405).header('allow', 'POST').send({ message: 'Use POST.' }),
  });
  return app;
}

async function exchange(server: McpServer, { headers, body }: FastifyRequest) {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    const message = new Request(`http://localhost${PATH}`, { method: 'POST', headers: headersOf(headers) });
    const response = await transport.handleRequest(message, { parsedBody: body });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    };
  } finally {
    await server.close();
  }
}

/** The headers that the transport reads. */
function headersOf(headers: FastifyRequest['headers']): Record<string, string> {
  return {
    accept: headers.accept ?? '',
    'content-type': headers['content-type'] ?? '',
    ...(headers['mcp-protocol-version'] && {
      'mcp-protocol-version': String(headers['mcp-protocol-version']),
    }),
  };
}

/** Digests have the same length, so comparing them reveals nothing about the token. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
