import type { LiveError, ResultError } from './live-error.ts';

/** One event of a subscription. */
export interface LiveEvent<Data> {
  readonly kind: 'event';
  /** The data of the result, as the document selects it. */
  readonly data: Data;
  /** Its place in the log. A subscription `after` it begins with the next event. */
  readonly cursor: string;
  /** The errors of missing data, for example if an entity could not be read. Empty if nothing is missing. */
  readonly errors: readonly ResultError[];
}

/** A complete list. It replaces every list and event before it. */
export interface LiveList<Data> {
  readonly kind: 'list';
  readonly data: Data;
  /** The next events come after this cursor. */
  readonly cursor: string;
  /**
   * The reason for reading it: the start, or a client that was disconnected for longer than the server keeps events.
   */
  readonly because: 'START' | 'CURSOR_EXPIRED' | 'INVALID_CURSOR';
}

/** The state of a subscription, for a screen that shows it. */
export type LiveState =
  | { readonly name: 'connecting' }
  /** Events arrive as they happen, after those that were missed. */
  | { readonly name: 'live' }
  /** The connection is lost. The next one continues after the last event; it is opened in `inMs` milliseconds. */
  | { readonly name: 'resuming'; readonly because: LiveError; readonly inMs: number }
  /** The subscription has ended; without an error if the caller ended it. */
  | { readonly name: 'ended'; readonly error?: unknown };
