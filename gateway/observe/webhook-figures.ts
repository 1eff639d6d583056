import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { BUCKETS } from './buckets.ts';
import { shareRunning } from './share-running.ts';
import type { ReadSource } from './source-reader.ts';

/** Figures of the webhook engine. */
export interface WebhookSource {
  /** Outcomes of this process's attempts since its start, and running attempts (`inFlight`). */
  stats(): Readonly<Record<string, number>> & { readonly inFlight: number };
  /** Deliveries that wait to be sent, by state, of all processes. */
  queue(): Promise<Readonly<Record<string, QueueSource>>>;
  /** Held endpoints of all tenants, by reason. */
  heldEndpoints(): Promise<{ readonly paused: number; readonly open: number; readonly halfOpen: number }>;
  /** Calls back with each ended attempt of this process. */
  onAttempt(listener: (attempt: { readonly result: string; readonly seconds: number }) => void): void;
}

interface QueueSource {
  readonly depth: number;
  readonly oldestSeconds: number;
  readonly overdueSeconds: number;
}

const BY_STATE = [
  [
    'depth',
    'depth',
    'Unsent deliveries of all processes, by state, counted up to 100,000; held: kept because their endpoint is paused or its breaker open',
  ],
  ['oldest_seconds', 'oldestSeconds', 'Age of the oldest one, in seconds'],
  [
    'overdue_seconds',
    'overdueSeconds',
    'Time since the longest due one became due, in seconds; 0 for held ones',
  ],
] as const;

/**
 * Metrics of webhooks. Labels are outcomes, error classes and states, never tenants or endpoints, whose number is unlimited.
 */
export function addWebhookFigures(registry: Registry, source: WebhookSource, read: ReadSource): void {
  const registers = [registry];
  new Counter({
    name: 'webhook_attempts_total',
    help: 'Webhook attempts of this process by outcome; stale ones had lost their lease, and wrote nothing',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      const { inFlight: _inFlight, ...outcomes } = source.stats();
      for (const [outcome, count] of Object.entries(outcomes)) {
        this.inc({ outcome }, count);
      }
    },
  });
  new Gauge({
    name: 'webhook_attempts_in_flight',
    help: 'Webhook attempts of this process that are running',
    registers,
    collect() {
      this.set(source.stats().inFlight);
    },
  });
  const durations = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Webhook attempts of this process, from resolving the name to the end of the answer, by result',
    labelNames: ['result'],
    buckets: [...BUCKETS, 30],
    registers,
  });
  source.onAttempt(({ result, seconds }) => durations.observe({ result }, seconds));
  addQueue(registry, () => read('webhooks', () => source.queue()));
  new Gauge({
    name: 'webhook_endpoints_held',
    help: 'Webhook endpoints of all tenants whose deliveries are kept: paused, or their breaker open or half open',
    labelNames: ['hold'],
    registers,
    async collect() {
      const held = await read('webhooks', () => source.heldEndpoints());
      this.reset();
      if (held !== undefined) {
        this.set({ hold: 'paused' }, held.paused);
        this.set({ hold: 'breaker_open' }, held.open);
        this.set({ hold: 'breaker_half_open' }, held.halfOpen);
      }
    },
  });
}

function addQueue(
  registry: Registry,
  read: () => Promise<Readonly<Record<string, QueueSource>> | undefined>,
): void {
  const figures = shareRunning(read);
  for (const [name, figure, help] of BY_STATE) {
    new Gauge({
      name: `webhook_queue_${name}`,
      help,
      labelNames: ['state'],
      registers: [registry],
      async collect() {
        const now = await figures();
        this.reset();
        for (const [state, of] of Object.entries(now ?? {})) {
          this.set({ state }, of[figure]);
        }
      },
    });
  }
}
