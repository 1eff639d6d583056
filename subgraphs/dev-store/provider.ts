import type { DatabaseLog } from '../kernel/database/open-database.ts';
import type { DataFormat, StoreLayout } from './layout.ts';

/** The programs of a development store, in the order in which they are tried. */
export type StoreKind = 'mongod' | 'secantus-rs' | 'secantus-py' | 'mongod-download';

/** A server that accepts connections, and how to stop it. */
export interface StoreServer {
  /** Connection string; the database comes later. */
  readonly uri: string;
  /** The running server: program and version, for people; no credentials. */
  readonly description: string;
  /** As `Database.exited`. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

export type Provision =
  | { readonly status: 'running'; readonly server: StoreServer }
  /** This machine does not have it: the chain goes on to the next. */
  | { readonly status: 'unavailable'; readonly reason: string };

/** One way to get a server. */
export interface Provider {
  readonly kind: StoreKind;
  /** On-disk format of its data in `DATA_DIR`. */
  readonly format: DataFormat;
  /** Its kind, for messages. */
  readonly name: string;
  /** One sentence: what to do to have it. */
  readonly howToGet: string;
  /** Not for production: said at start. */
  readonly development: boolean;
  /** @throws DatabaseError when it is there but does not work */
  provide(context: ProviderContext): Promise<Provision>;
}

export interface ProviderContext {
  readonly layout: StoreLayout;
  readonly env: NodeJS.ProcessEnv;
  readonly log: DatabaseLog;
  /** To be called as soon as a server process exists, so that the next start can end it if this process crashes. */
  recordServer(pid: number, dataPath: string): void;
}

export function unavailable(reason: string): Provision {
  return { status: 'unavailable', reason };
}

export function running(server: StoreServer): Provision {
  return { status: 'running', server };
}
