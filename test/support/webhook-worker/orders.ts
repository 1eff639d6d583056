import type { NewDelivery } from '../../../subgraphs/webhooks/queue.ts';
import type { WebhookConfig, WebhookStats } from '../../../subgraphs/webhooks/webhooks.ts';

/** The base of a worker process; all workers of a run share it. */
export interface WorkerSettings {
  /** Names the database. */
  readonly uri: string;
  /** 32 bytes in hexadecimal: seals deliveries, and makes the digests of endpoints. */
  readonly key: string;
  /** PEM file of the receiver's authority. */
  readonly caFile: string;
  readonly config: Omit<WebhookConfig, 'caFile'>;
  /**
   * File that log lines are added to, and lines about what begins: `begun` (an attempt's request, the delivery's id),
   * `session` (a transaction's, its id in hexadecimal) and `leased` (ids of deliveries that a claim is about to lease, or the
   * transaction that stores them; with `aheadMs`, the clock's). Each is there before the next step. None are written without it.
   */
  readonly journal?: string;
}

/** Where a process kills itself with SIGKILL: the nth time that it comes to a point, such as `before record commit`. */
export interface KillPoint {
  readonly at: string;
  readonly nth: number;
}

/** The orders of a worker process. */
export type Order =
  /** Starts the worker: from now on it claims, and sweeps every `sweepMs`. */
  | {
      readonly kind: 'work';
      /** Its clock, milliseconds before the real one. */
      readonly aheadMs: number;
      readonly sweepMs: number;
      readonly killAt?: KillPoint;
    }
  /** Stores these in one transaction; `stored` answers. */
  | { readonly kind: 'store'; readonly deliveries: readonly NewDelivery[] }
  /** Sets its clock. */
  | { readonly kind: 'clock'; readonly aheadMs: number }
  /** `stats` answers. */
  | { readonly kind: 'stats' }
  /** Stops the worker and ends the process. */
  | { readonly kind: 'stop' };

/** The reports of a worker process. */
export type Word =
  | { readonly kind: 'ready' }
  /** A transaction is committed; `at` is then, in milliseconds since 1970 with fractions. */
  | { readonly kind: 'stored'; readonly ids: readonly string[]; readonly at: number }
  /** A sweep has found nothing more, and no attempt runs. */
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'stats';
      readonly stats: WebhookStats;
      readonly counts: Readonly<Record<string, number>>;
    };
