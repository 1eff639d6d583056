import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { OperatorError } from '../../subgraphs/platform/errors/operator-error.ts';
import type { Logger } from '../../subgraphs/platform/log.ts';
import { createEngine, type Engine } from '../engine.ts';
import { readSupergraph } from '../planner/supergraph.ts';
import { createHttpTransport, type HttpTransport } from '../transports/http.ts';
import { buildStandaloneApp } from './app.ts';
import type { StandaloneOptions } from './arguments.ts';
import type { StandaloneContext } from './context.ts';

/** A gateway that listens. */
export interface StandaloneGateway {
  /** Where GraphQL is served, such as `http://127.0.0.1:4000/graphql`. */
  readonly url: string;
  readonly subgraphs: readonly string[];
  /** Takes no more traffic, ends subscriptions, lets other requests finish. A second call waits for the first. */
  close(): Promise<void>;
}

function messageOf(error: unknown): string {
  return (error as Error).message;
}

async function readSupergraphFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`The supergraph cannot be read: ${messageOf(error)}`);
  }
}

function readGraph(sdl: string, path: string): ReturnType<typeof readSupergraph>['subgraphs'] {
  try {
    return readSupergraph(sdl).subgraphs;
  } catch (error) {
    throw new OperatorError(`${path} is not a Federation 2 supergraph: ${messageOf(error)}`);
  }
}

function createTransports(
  sdl: string,
  options: StandaloneOptions,
  log: Logger,
): Readonly<Record<string, HttpTransport>> {
  const subgraphs = readGraph(sdl, options.supergraph);
  const known = new Set(subgraphs.map(({ name }) => name));
  const unknown = Object.keys(options.subscriptions).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new OperatorError(
      `--subscriptions names ${unknown.join(', ')}, which the supergraph does not have.`,
    );
  }
  const unreachable = subgraphs.filter(({ url }) => !/^https?:\/\/./.test(url) || !URL.canParse(url));
  if (unreachable.length > 0) {
    const names = unreachable.map(({ name, url }) => `${name} ("${url}")`).join(', ');
    throw new OperatorError(`These subgraphs have no http: or https: URL in @join__graph: ${names}.`);
  }
  const transports = subgraphs.map(({ name, url }): [string, HttpTransport] => [
    name,
    createHttpTransport({
      url,
      timeoutMs: options.timeoutMs,
      subscriptions: options.subscriptions[name] ?? options.defaultSubscriptions,
      // The application makes no other contexts.
      headers: (context) => (context as StandaloneContext).forwarded,
      onFailure: (error, { subgraph }, { requestId }) =>
        log.warn({ err: error, subgraph, requestId }, 'subgraph.fetch failed'),
    }),
  ]);
  return Object.fromEntries(transports);
}

function createStandaloneEngine(
  supergraphSdl: string,
  transports: Readonly<Record<string, HttpTransport>>,
  options: StandaloneOptions,
  log: Logger,
): Engine {
  try {
    return createEngine({
      supergraphSdl,
      transports,
      onInternalError: (error, info) => log.warn({ err: error, ...info }, 'graphql.internal error'),
      exposeInternalErrors: process.env.NODE_ENV !== 'production',
    });
  } catch (error) {
    throw new OperatorError(`${options.supergraph} cannot be served: ${messageOf(error)}`);
  }
}

/**
 * Serves a supergraph.
 *
 * @throws an `OperatorError` when the file, the supergraph or the address is not usable.
 */
export async function startGateway(options: StandaloneOptions, log: Logger): Promise<StandaloneGateway> {
  const sdl = await readSupergraphFile(options.supergraph);
  const transports = createTransports(sdl, options, log);
  const engine = createStandaloneEngine(sdl, transports, options, log);
  const state = { draining: false };
  const app = await buildStandaloneApp({ engine, log, state, forwardHeaders: options.forwardHeaders });
  const closeAll = async (): Promise<void> => {
    state.draining = true;
    await app.close();
    await Promise.all(Object.values(transports).map((transport) => transport.close()));
  };
  try {
    await app.listen({ host: options.host, port: options.port });
  } catch (error) {
    await closeAll();
    throw new OperatorError(`Cannot listen on ${options.host} port ${options.port}: ${messageOf(error)}`);
  }
  const { port } = app.server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${host}:${port}/graphql`,
    subgraphs: Object.keys(transports),
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
