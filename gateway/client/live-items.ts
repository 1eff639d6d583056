import type { LiveError, ResultError } from './live-error.ts';

/** One event of a subscription. */
export interface LiveEvent<Data> {
  readonly kind: 'event';
  /** The data of the result, as the document selects it. */
  readonly data: Data;
  /** Where it stands in the log. Who follows `after` it gets the next event first. */
  readonly cursor: string;
  /** What is missing in the data, and why: an entity could not be read, for instance. Empty when all is there. */
  readonly errors: readonly ResultError[];
}

/** A list, complete. It takes the place of any list and all events before it. */
export interface LiveList<Data> {
  readonly kind: 'list';
  readonly data: Data;
  /** The events that come next are those after this one. */
  readonly cursor: string;
  /** Why it was read: at the start, or because the client was away for longer than the server keeps events. */
  readonly because: 'START' | 'CURSOR_EXPIRED' | 'INVALID_CURSOR';
}

/** How following goes, for a screen that shows it. */
export type LiveState =
  | { readonly name: 'connecting' }
  /** Events come as they happen, after those that were missed. */
  | { readonly name: 'live' }
  /** The connection is gone; the next one continues after the last event. It is opened `inMs` milliseconds from now. */
  | { readonly name: 'resuming'; readonly because: LiveError; readonly inMs: number }
  /** Nothing comes any more; without an error because the caller wanted it so. */
  | { readonly name: 'ended'; readonly error?: unknown };
