import type { SerializableError, TestResult } from '@jest/test-result';
import type { Config } from '@jest/types';

/** The provisions of a project for its tests; its `testEnvironmentOptions`. */
export interface Provisions {
  /** Whether they may use the run's store. */
  readonly store: boolean;
  /** Whether they may start processes. */
  readonly processes: boolean;
  /** Whether limits of time are longer while the machine has more to do: see `paceOf`. */
  readonly followsPace: boolean;
  /** The default limit of each test; in milliseconds. */
  readonly timeoutMs: number;
  /** The same of each hook, which may have to start what all tests of the file need. */
  readonly hookTimeoutMs: number;
  /** How long the event loop of their process may stand still before it is taken to hang, and killed. */
  readonly silenceMs: number;
  /** A process that has more memory than this after a file is replaced before the next. */
  readonly memoryBytes: number;
}

/** Where jest's global setup, in the same process as the runner, leaves the stores of a run. */
export const STORES = Symbol.for('remitgraph.stores');

export interface WorkerStores {
  /** The environment in which the files of a worker process find their store. */
  variablesFor(workerId: number): Promise<NodeJS.ProcessEnv>;
}

/** One test file to be run. */
export interface Order {
  readonly kind: 'run';
  /** The source, as Jest knows the test. */
  readonly path: string;
  /** The modules that are imported for it. */
  readonly compiled: string;
  readonly config: Config.ProjectConfig;
  readonly globalConfig: Config.GlobalConfig;
  readonly provisions: Provisions;
}

/** To a worker process. `end`: it reports what went wrong since its last file, and ends. */
export type ToWorker = Order | { readonly kind: 'end' };

/** From a worker process. */
export type FromWorker =
  /** Every second, as long as its event loop turns. */
  | { readonly kind: 'alive' }
  /** A process that a test file has started, or that has ended. */
  | { readonly kind: 'child'; readonly pid: number; readonly isRunning: boolean }
  /** The file has run; `rss` is the worker's memory afterwards, in bytes. */
  | { readonly kind: 'result'; readonly result: TestResult; readonly rss: number }
  /** The file could not be run. */
  | { readonly kind: 'failure'; readonly error: SerializableError }
  /** Its last message: errors that came when no file ran any more. */
  | { readonly kind: 'ended'; readonly errors: readonly string[] };
