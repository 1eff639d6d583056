import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Connection } from 'mongoose';
import { commandLine } from '../../subgraphs/kernel/command-line.ts';
import { summarize } from '../../subgraphs/kernel/config/in-force.ts';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import { type Role, servesClients } from '../../subgraphs/kernel/config/roles.ts';
import type { Database } from '../../subgraphs/kernel/database/open-database.ts';
import { isSystemError, OperatorError } from '../../subgraphs/kernel/errors/operator-error.ts';
import { createLogger, type Logger } from '../../subgraphs/kernel/log/log.ts';
import { once } from '../../subgraphs/kernel/once.ts';
import { environmentOfKey } from '../../subgraphs/partners/keys/record.ts';
import { checkStoredCorridors } from '../../subgraphs/partners/tenants/check-stored.ts';
import { seedDemoTenant } from '../../subgraphs/partners/tenants/demo.ts';
import { keepDemoKey } from '../../subgraphs/partners/tenants/demo-key.ts';
import { applySeed, readSeed } from '../../subgraphs/partners/tenants/seed.ts';
import { recordProcess } from '../../subgraphs/runtime/processes/index.ts';
import { timeoutsOf } from '../http/http-timeouts.ts';
import { portOf } from '../http/port-of.ts';
import { createMetrics, type Metrics } from '../observe/metrics.ts';
import { openConfiguredDatabase } from './database.ts';
import { listenForMetrics } from './metrics-listener.ts';
import { readMtlsIdentity } from './mtls/identity.ts';
import { addMtlsListener } from './mtls/listener.ts';
import { publicUrlOf } from './public-url.ts';
import { describeRefusedCalls, findRefusedCalls } from './refused-calls.ts';
import type { ReloadSignal } from './reload/watch-supergraph.ts';
import { buildRoleApp } from './role-app.ts';
import { createSubgraphs, type Subgraphs } from './subgraphs.ts';

/** A running server. */
export interface Server {
  /** Its address, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  readonly config: Config;
  readonly subgraphs: Subgraphs;
  readonly store: Database;
  readonly log: Logger;
  /** The demo tenant's key, on a development server that has one of an environment that it serves. */
  readonly demoKey: string | undefined;
  /** Resolves when the store is lost for good, or the process may not go on with its settings: it has to end. */
  readonly failed: Promise<void>;
  /** Is not ready from now on, answers calls as before for `DRAIN_SECONDS`, and then closes. */
  stop(): Promise<void>;
  /** Stops taking traffic, lets running work finish, closes the store. A second call waits for the first. */
  close(): Promise<void>;
}

/** Callbacks and settings that the process passes to a start. */
interface StartOptions {
  /** A key of `SEED_FILE` that a development server uses as {@link Server.demoKey}. */
  readonly seededKey?: string | undefined;
  /** Shows the key of a demo tenant that was just created. */
  readonly showDemoKey?: ((key: string) => void) | undefined;
  /** Triggers an immediate read of `SUPERGRAPH_FILE` in a gateway. */
  readonly reloadSignal?: ReloadSignal | undefined;
}

/**
 * Opens the store, seeds it, and serves. When a later step fails, everything is closed again.
 *
 * @throws an OperatorError that says what to fix
 */
export async function startServer(
  config: Config,
  supergraphSdl: string,
  log = createLogger({ level: config.LOG_LEVEL }),
  options: StartOptions = {},
): Promise<Server> {
  log.info({ config: summarize(config) }, 'server.starting');
  const identity = servesClients(config.ROLE) ? readMtlsIdentity(config) : undefined;
  const store = await openConfiguredDatabase(config, log);
  const opened: (() => Promise<void>)[] = [() => store.close()];
  const closeAll = async () => {
    for (const close of opened.toReversed()) {
      await close();
    }
  };
  const close = once(closeAll);
  const state = { draining: false };
  try {
    const { connection } = store;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const onUnwritable = config.MONGODB_URI === undefined ? endUnwritable(log, () => end()) : undefined;
    const onRefused = ({ message: issue }: OperatorError) => {
      log.fatal({ issue }, 'process.refused');
      end();
    };
    const parts = { ...options, config, connection, supergraphSdl, log, state, onRefused, onUnwritable };
    const composed = await composeServer(parts);
    const { app, subgraphs, demoKey } = composed;
    opened.push(composed.close);
    const mtls =
      identity && addMtlsListener(app, { host: config.HOST, log, identity, timeouts: timeoutsOf(config) });
    const url = await listen(app, config);
    if (mtls) {
      log.info(await mtls.listen(), 'mtls.listening');
    }
    const metricsListener = await listenForMetrics(config, composed.metrics, log);
    if (metricsListener) {
      opened.push(metricsListener.close);
      log.info({ port: metricsListener.port }, 'metrics.listening');
    }
    log.info({ url }, 'server.listening');
    return {
      url,
      config,
      subgraphs,
      store,
      log,
      demoKey,
      failed: Promise.race([store.exited.then(() => undefined), ended]),
      stop: async () => {
        state.draining = true;
        await delay(config.DRAIN_SECONDS * 1_000);
        await close();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Parts extends StartOptions {
  readonly config: Config;
  /** Starts on an open store, which stays open. */
  readonly connection: Connection;
  readonly supergraphSdl: string;
  readonly log: Logger;
  /** Called once when this process may not go on with its settings. */
  onRefused(error: OperatorError): void;
  /** Called once when the database has taken no write for over a minute. */
  readonly onUnwritable?: (() => void) | undefined;
  /** Whether it should take no more traffic. Set when it closes, or earlier by its owner. */
  readonly state: { draining: boolean };
}

/** A server without its store and its listeners. */
interface ComposedServer {
  readonly app: FastifyInstance;
  readonly subgraphs: Subgraphs;
  readonly metrics: Metrics;
  readonly demoKey: string | undefined;
  /** Stops taking traffic, and lets running work finish. */
  close(): Promise<void>;
}

/** Part of the time of a GraphQL operation that the database may take for one read: the error of that read is still answered. */
const READ_SHARE = 0.9;

/** Seeds the store, starts the work in the background, and builds the application. */
export async function composeServer(parts: Parts): Promise<ComposedServer> {
  const { config, connection, supergraphSdl, log, state, reloadSignal } = parts;
  const subgraphs = await createSubgraphs({ config, connection, log });
  await subgraphs.prepare();
  // Not before: migrations read for as long as they need.
  connection.set('maxTimeMS', Math.ceil(READ_SHARE * config.GRAPHQL_TIMEOUT_SECONDS * 1_000));
  const demoKey = (await seed(parts, subgraphs)) ?? parts.seededKey;
  await checkStoredCorridors(subgraphs.tenants);
  await warnOfRefusedCalls(config, subgraphs.tenants, log);
  await subgraphs.start(config.ROLE);
  const metrics = createMetrics(subgraphs.figures);
  const record = recordProcess({
    connection,
    config,
    log,
    clock: subgraphs.clock,
    check: subgraphs.recheck,
    onRefused: parts.onRefused,
    ...(parts.onUnwritable && { onUnwritable: parts.onUnwritable }),
  });
  record.start();
  const stop = async () => {
    await record.stop();
    await subgraphs.stop();
  };
  try {
    const app = await buildRoleApp({
      config,
      subgraphs,
      connection,
      proveWrites: record.prove,
      supergraphSdl,
      log,
      state,
      demoKey,
      reloadSignal,
      metrics,
    });
    return {
      app,
      subgraphs,
      metrics,
      demoKey,
      close: async () => {
        state.draining = true;
        await app.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function seed(
  { config, log, showDemoKey }: Parts,
  { tenants, apiKeys, movePause }: Subgraphs,
): Promise<string | undefined> {
  if (config.SEED_FILE !== undefined) {
    await applySeed({ tenants, apiKeys, movePause, log }, await readSeed(config.SEED_FILE));
    return undefined;
  }
  if (config.NODE_ENV === 'production') {
    await warnOfNoTenants(tenants, log);
    return undefined;
  }
  const created = await seedDemoTenant({ tenants, apiKeys, log });
  if (created !== undefined) {
    showDemoKey?.(created);
  }
  const key = keepDemoKey(config.DATA_DIR, created);
  return key !== undefined && config.ENVIRONMENTS.includes(environmentOfKey(key)) ? key : undefined;
}

/** Production gets no demo tenant, because nobody would have created its key on purpose. */
async function warnOfNoTenants(tenants: Pick<Subgraphs['tenants'], 'isEmpty'>, log: Logger): Promise<void> {
  if (await tenants.isEmpty()) {
    log.warn(`There are no tenants: make one with ${commandLine('admin', 'tenant create')}, or by SEED_FILE`);
  }
}

/** The roles that call no provider, and need no address of one. */
const CALL_NO_PROVIDER: readonly Role[] = ['gateway', 'subgraph-links'];

/** One line for each provider of live calls that production lacks: the calls of partners that it refuses. */
async function warnOfRefusedCalls(
  config: Config,
  tenants: Pick<Subgraphs['tenants'], 'list'>,
  log: Logger,
): Promise<void> {
  if (config.NODE_ENV !== 'production' || CALL_NO_PROVIDER.includes(config.ROLE)) {
    return;
  }
  for (const missing of await findRefusedCalls(config, tenants.list)) {
    log.warn({ setting: missing.setting, issue: describeRefusedCalls(missing) }, 'provider.not_configured');
  }
}

/**
 * A development store that stops taking writes needs a restart, even if its disk has space again. A database at
 * `MONGODB_URI` recovers by itself.
 */
function endUnwritable(log: Logger, end: () => void): () => void {
  return () => {
    log.fatal({ next: 'The process ends, and the next start repairs the store.' }, 'store.takes_no_writes');
    end();
  };
}

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  try {
    await app.listen({ host: config.HOST, port: config.PORT });
  } catch (error) {
    if (!isSystemError(error)) {
      throw error;
    }
    const { HOST: host, PORT: port } = config;
    throw new OperatorError(`PORT: cannot listen on ${host}, port ${port}: ${error.message}`, {
      cause: error,
    });
  }
  return publicUrlOf(config, portOf(app.server));
}
