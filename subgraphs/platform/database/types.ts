import type { Connection } from 'mongoose';
import { OperatorError } from '../errors/operator-error.ts';
import type { Logger } from '../log/log.ts';

/** What a store runs on, in the order in which the chain tries them (design, "Store"). */
export type StoreKind = 'uri' | 'mongod' | 'secantus-rs' | 'secantus-py' | 'mongod-download';

/** The part of the process's logger that the store writes to. */
export type StoreLog = Pick<Logger, 'info' | 'warn' | 'error'>;

export interface StoreOptions {
  /** Replica set or sharded cluster; unset starts an embedded store in `dataDir`. */
  readonly mongodbUri?: string | undefined;
  /** Directory of the embedded store; made (mode 0700) when it is not there, and not touched under `mongodbUri`. */
  readonly dataDir: string;
  /** Database to use whatever the URI names. Default: the URI's database, else `remitgraph`. */
  readonly database?: string;
  readonly log: StoreLog;
  /** Where `PATH` and `NODE_ENV` are read, and what servers and installers inherit. Default `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
  /** Directory of the Python environments of step 4; by default in `dataDir`. Tests keep one for all their runs. */
  readonly venvDir?: string;
}

export interface Store {
  /** Connection string that names the database. It may hold credentials: never log it, log `description`. */
  readonly uri: string;
  readonly kind: StoreKind;
  /** What runs, for people and logs: program and version, or the cluster's hosts; no credentials. */
  readonly description: string;
  /** Connected; writes are acknowledged by a majority and journalled. */
  readonly connection: Connection;
  /**
   * Resolves with the reason when the server that this store started ends without having been asked to: nothing can be
   * stored any more, the process should stop with a failure. Never resolves for `uri`, nor after {@link Store.close}.
   */
  readonly exited: Promise<string>;
  /** Closes the connection, stops the server and frees `dataDir`. A second call waits for the first. */
  close(): Promise<void>;
}

/** Why no store could be had. The message is for the operator: what was wrong and what to do; no credentials. */
export class StoreError extends OperatorError {
  override readonly name = 'StoreError';
}
