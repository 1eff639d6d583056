// The types of `import … from 'remitgraph'`. This file imports only the settings, so that the published types compile
// in a project without this product's packages.
import type { ServerSettings } from './settings.ts';

export type { ServerSettings } from './settings.ts';

/** Options for the program that runs a server. */
export interface ServerOptions {
  /** Gets each line of the log: JSON with `level`, `time` and `msg`, ended by a line break. Without it nothing is logged. */
  readonly log?: (line: string) => void;
}

/** A server that listens. */
export interface RemitgraphServer {
  /** Its address, such as `http://127.0.0.1:4000`; the given `PUBLIC_URL`, if there is one. */
  readonly url: string;
  /** The key of the tenant `demo`, on a development server whose database was empty at its first start. */
  readonly demoKey: string | undefined;
  /**
   * Resolves if an embedded database ends by itself: the server can then answer no more calls. Otherwise it stays
   * pending.
   */
  readonly failed: Promise<void>;
  /**
   * Reports not ready from now on, answers calls as before for `DRAIN_SECONDS`, ends subscriptions over
   * `SUBSCRIPTION_DRAIN_SECONDS`, lets running work finish, and closes the database. A second call waits for the first.
   */
  close(): Promise<void>;
}

/**
 * Starts a server: REST, GraphQL, live events, and the work in the background, as its settings say. It reads no environment
 * variables, listens to no signals, prints nothing, and never ends the process. A process may run several, each with its own
 * `PORT`, and each with its own `DATA_DIR` or a `MONGODB_URI`.
 *
 * @throws RemitgraphError when it cannot start, with what to do. Nothing is left open then
 */
export declare function createServer(
  settings?: ServerSettings,
  options?: ServerOptions,
): Promise<RemitgraphServer>;

/** Something that the operator can fix; the message says what to do, and has no secrets. */
export declare class RemitgraphError extends Error {}
