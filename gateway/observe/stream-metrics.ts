import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/**
 * The reason for the end of a subscription. Its events ended (`completed`) or `failed`; the client or its connection
 * `stopped` it; its key was `revoked`; the client was too `slow`, or its connection takes no data (`unresponsive`);
 * or the process stops (`drained`).
 */
export type StreamEndReason =
  | 'completed'
  | 'failed'
  | 'stopped'
  | 'revoked'
  | 'slow'
  | 'unresponsive'
  | 'drained';

/** Measures subscriptions. */
export interface StreamMetrics {
  started(): void;
  /** @param lagSeconds from the change until its event is sent; undefined for events from before the stream began */
  sent(lagSeconds: number | undefined): void;
  ended(reason: StreamEndReason): void;
}

/** In seconds. An idle system takes milliseconds, a busy one a quarter of a second. */
const LAG_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Makes the metrics of one process's subscriptions. */
export function createStreamMetrics(registry: Registry): StreamMetrics {
  const registers = [registry];
  const active = new Gauge({
    name: 'graphql_subscriptions_active',
    help: 'Subscriptions that are open',
    registers,
  });
  const started = new Counter({
    name: 'graphql_subscriptions_started_total',
    help: 'Subscriptions that have begun',
    registers,
  });
  const ended = new Counter({
    name: 'graphql_subscriptions_ended_total',
    help: 'Subscriptions that ended, by reason',
    labelNames: ['reason'],
    registers,
  });
  const sent = new Counter({
    name: 'graphql_subscription_events_sent_total',
    help: 'Events of subscriptions that were handed to connections',
    registers,
  });
  const lag = new Histogram({
    name: 'graphql_subscription_lag_seconds',
    help: 'Time from a change to the way out of its event, of live events',
    buckets: LAG_BUCKETS,
    registers,
  });
  return {
    started: () => {
      active.inc();
      started.inc();
    },
    sent: (lagSeconds) => {
      sent.inc();
      if (lagSeconds !== undefined) {
        lag.observe(lagSeconds);
      }
    },
    ended: (reason) => {
      active.dec();
      ended.inc({ reason });
    },
  };
}
