import { readFile } from 'node:fs/promises';
import { OperatorError } from '../../subgraphs/kernel/errors/operator-error.ts';
import { messageOf } from '../../subgraphs/kernel/errors/thrown.ts';
import { withoutInput } from '../../subgraphs/kernel/errors/without-input.ts';
import type { Logger } from '../../subgraphs/kernel/log/log.ts';
import { parseUrl } from '../../subgraphs/kernel/parse-url.ts';
import { createReloadableEngine, type Graph } from '../app/reload/reloadable-engine.ts';
import { onSighup, watchSupergraph } from '../app/reload/watch-supergraph.ts';
import {
  buildEngine,
  createHttpTransport,
  type HttpTransport,
  readSupergraph,
  withTimeout,
} from '../engine/index.ts';
import { type ClientDocuments, createClientDocuments } from '../http/documents/client-documents.ts';
import { loadTrustedDocuments } from '../http/documents/trusted-folder.ts';
import { portOf } from '../http/port-of.ts';
import { createTracing, type Tracing } from '../observe/tracing.ts';
import { buildStandaloneApp } from './app.ts';
import type { StandaloneOptions } from './arguments.ts';
import type { StandaloneContext } from './context.ts';

/** A gateway that listens. */
export interface StandaloneGateway {
  /** Where GraphQL is served, such as `http://127.0.0.1:4000/graphql`. */
  readonly url: string;
  /** Those of the supergraph that it started with. */
  readonly subgraphs: readonly string[];
  /** Stops taking traffic, ends subscriptions, and lets other requests finish. A second call waits for the first. */
  close(): Promise<void>;
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
  deps: StandaloneDeps,
): Readonly<Record<string, HttpTransport<StandaloneContext>>> {
  const subgraphs = readGraph(sdl, options.supergraph);
  const known = new Set(subgraphs.map(({ name }) => name));
  const unknown = Object.keys(options.subscriptions).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new OperatorError(
      `--subscriptions names ${unknown.join(', ')}, which the supergraph does not have.`,
    );
  }
  const unreachable = subgraphs.filter(
    ({ url }) => !/^https?:\/\/./.test(url) || parseUrl(url) === undefined,
  );
  if (unreachable.length > 0) {
    const names = unreachable.map(({ name, url }) => `${name} ("${url}")`).join(', ');
    throw new OperatorError(`These subgraphs have no http: or https: URL in @join__graph: ${names}.`);
  }
  const { log, tracing } = deps;
  const transports = subgraphs.map(({ name, url }): [string, HttpTransport<StandaloneContext>] => [
    name,
    createHttpTransport<StandaloneContext>({
      url,
      timeoutMs: options.timeoutMs,
      subscriptions: {
        ...(options.subscriptions[name] ?? options.defaultSubscriptions),
        silenceMs: options.silenceMs,
      },
      headers: ({ forwarded }) => ({ ...tracing.headers(), ...forwarded }),
      onFailure: (error, { subgraph }, { requestId }) =>
        log.warn({ err: error, subgraph, requestId }, 'subgraph.fetch_failed'),
    }),
  ]);
  return Object.fromEntries(transports);
}

interface StandaloneDeps {
  readonly log: Logger;
  readonly tracing: Tracing;
}

interface StandaloneGraph extends Graph<StandaloneContext> {
  readonly subgraphs: readonly string[];
}

/** @throws an `OperatorError` when the supergraph cannot be served */
function createGraph(
  supergraphSdl: string,
  options: StandaloneOptions,
  deps: StandaloneDeps,
): StandaloneGraph {
  const { log, tracing } = deps;
  const transports = createTransports(supergraphSdl, options, deps);
  const close = async () => {
    await Promise.all(Object.values(transports).map((transport) => transport.close()));
  };
  try {
    const engine = buildEngine<StandaloneContext>({
      supergraphSdl,
      transports,
      hooks: [
        withTimeout(options.operationTimeoutMs, ({ controller }) => controller),
        ...tracing.hooks<StandaloneContext>(),
      ],
      onInternalError: (error, info) =>
        log.warn({ err: withoutInput(error), ...info }, 'graphql.internal_error'),
      exposeInternalErrors: process.env.NODE_ENV !== 'production',
    });
    return {
      engine,
      subgraphs: Object.keys(transports),
      close,
    };
  } catch (error) {
    close().catch((failed: unknown) => log.warn({ err: failed }, 'supergraph.close_failed'));
    throw new OperatorError(`${options.supergraph} cannot be served: ${messageOf(error)}`);
  }
}

/** Serves the content of the file, now and after each change. */
function followSupergraph(sdl: string, options: StandaloneOptions, deps: StandaloneDeps): StandaloneGraph {
  const { log } = deps;
  const first = createGraph(sdl, options, deps);
  const reloadable = createReloadableEngine(first, (error) =>
    log.error({ err: error }, 'supergraph.close_failed'),
  );
  const watch = watchSupergraph({
    file: options.supergraph,
    sdl,
    log,
    reloadSignal: onSighup,
    apply: async (changed) => reloadable.replace(createGraph(changed, options, deps)),
  });
  return {
    engine: reloadable.engine,
    subgraphs: first.subgraphs,
    close: async () => {
      await watch.close();
      await reloadable.close();
    },
  };
}

/** Closes the graph when a document is not usable. */
async function loadDocuments(
  { engine, close }: StandaloneGraph,
  { documents }: StandaloneOptions,
): Promise<ClientDocuments> {
  try {
    return createClientDocuments({ trusted: documents ? await loadTrustedDocuments(engine, documents) : [] });
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Serves a supergraph.
 *
 * @throws an `OperatorError` when the file, the supergraph, a trusted document or the address is not usable.
 */
export async function startGateway(options: StandaloneOptions, log: Logger): Promise<StandaloneGateway> {
  const sdl = await readSupergraphFile(options.supergraph);
  const tracing = createTracing();
  const graph = followSupergraph(sdl, options, { log, tracing });
  const { engine, subgraphs } = graph;
  const state = { draining: false };
  const documents = await loadDocuments(graph, options);
  const { forwardHeaders } = options;
  const app = await buildStandaloneApp({ engine, documents, log, state, forwardHeaders, tracing });
  const closeAll = async (): Promise<void> => {
    state.draining = true;
    await app.close();
    await graph.close();
  };
  try {
    await app.listen({ host: options.host, port: options.port });
  } catch (error) {
    await closeAll();
    throw new OperatorError(`Cannot listen on ${options.host} port ${options.port}: ${messageOf(error)}`);
  }
  const port = portOf(app.server);
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${host}:${port}/graphql`,
    subgraphs,
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
