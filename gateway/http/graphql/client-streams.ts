import { type ExecutionResult, GraphQLError } from 'graphql';
import { CATALOGUE } from '../../../subgraphs/platform/errors/catalogue.ts';
import type { Logger } from '../../../subgraphs/platform/log/log.ts';
import type { RequestContext } from '../../../subgraphs/platform/principal.ts';
import { eventFieldsOf, resultText } from '../../engine/index.ts';
import type { StreamEndReason, StreamMetrics } from '../../observe/stream-metrics.ts';
import { readAhead, type WaitingLimits } from './read-ahead.ts';

/** The fields of events that streams go by; every type of event has them. */
export const EVENT_FIELDS = ['cursor', 'occurredAt'] as const;

/** Whose a stream is. */
export interface StreamClient {
  readonly transport: 'websocket' | 'sse';
  readonly context: Pick<RequestContext, 'principal' | 'requestId' | 'signal'>;
  /** Why a stream is stopped, asked when it is: by its client, unless something else is known. */
  whyStopped(): StreamEndReason;
}

/** Subscriptions on their way to clients. */
export interface ClientStreams {
  /**
   * The results of one subscription for its client, counted, and logged in one line when they end. Live events are read
   * ahead up to the limit; one that waits beyond it fails the stream with a GraphQLError `SLOW_CONSUMER`, which has the
   * cursor of the last event taken, so that the client can go on behind it. Events from before the start are read as fast
   * as the client takes them, however many they are.
   */
  open(
    results: AsyncIterableIterator<ExecutionResult>,
    client: StreamClient,
  ): AsyncIterableIterator<ExecutionResult>;
}

interface ClientStreamDeps {
  readonly limits: WaitingLimits;
  readonly metrics: StreamMetrics;
  readonly log: Pick<Logger, 'info'>;
  /** The present time; the process's by default. */
  clock?(): Date;
}

const SLOW = 'SLOW_CONSUMER';
/** A subgraph's stream that was not taken fast enough: its client was too slow, and it is told so. */
const LAGGED = 'SUBSCRIPTION_LAGGED';

/** Makes the streams of a gateway. */
export function createClientStreams(deps: ClientStreamDeps): ClientStreams {
  return {
    open(results, client) {
      const openedAt = (deps.clock ?? now)().getTime();
      const isLive = (result: ExecutionResult) => (occurredAt(result)?.getTime() ?? 0) >= openedAt;
      const record = createRecord(deps, client, openedAt);
      const source = readAhead(results, {
        limits: deps.limits,
        sizeOf,
        readsOn: isLive,
        tooSlow: (last) => {
          record.end('slow');
          return slowConsumer(last && cursorOf(last));
        },
      });
      return keepRecord(source, record, client);
    },
  };
}

const now = () => new Date();

/** Many subscribers share one result. */
const sizes = new WeakMap<ExecutionResult, number>();

function sizeOf(result: ExecutionResult): number {
  const size = sizes.get(result) ?? Buffer.byteLength(resultText(result));
  sizes.set(result, size);
  return size;
}

/** What is known of one stream while it runs. */
interface StreamRecord {
  /** @throws the failure of a stream whose result says that it lagged */
  count(result: ExecutionResult): void;
  /** How the results have ended that are over. */
  overBecause(): StreamEndReason;
  end(reason: StreamEndReason): void;
}

function createRecord(
  { metrics, log, clock = now }: ClientStreamDeps,
  { transport, context }: StreamClient,
  openedAt: number,
): StreamRecord {
  let events = 0;
  let cursor: string | undefined;
  let isFailed = false;
  let isOpen = true;
  metrics.started();
  return {
    count(result) {
      cursor = cursorOf(result) ?? cursor;
      // The last result of a source that failed has no event.
      isFailed = result.errors !== undefined && eventFieldsOf(result) === undefined;
      if (isFailed && result.errors?.some(({ extensions }) => extensions.code === LAGGED)) {
        throw slowConsumer(cursor);
      }
      events += 1;
      const at = occurredAt(result)?.getTime() ?? 0;
      metrics.sent(at >= openedAt ? Math.max(0, clock().getTime() - at) / 1_000 : undefined);
    },
    overBecause: () => (isFailed ? 'failed' : 'completed'),
    end(reason) {
      if (!isOpen) {
        return;
      }
      isOpen = false;
      metrics.ended(reason);
      const { principal, requestId } = context;
      const ms = clock().getTime() - openedAt;
      log.info(
        { reason, transport, events, ms, tenantId: principal?.tenantId, requestId },
        'subscription.ended',
      );
    },
  };
}

/** The same stream, each result counted and its end told once. */
function keepRecord(
  source: AsyncIterableIterator<ExecutionResult>,
  record: StreamRecord,
  { context, whyStopped }: StreamClient,
): AsyncIterableIterator<ExecutionResult> {
  return {
    async next() {
      try {
        const item = await source.next();
        if (item.done !== true) {
          record.count(item.value);
        } else {
          // A client that goes away ends the source too, and may be noticed there first.
          record.end(context.signal?.aborted ? whyStopped() : record.overBecause());
        }
        return item;
      } catch (error) {
        record.end(isSlowConsumer(error) ? 'slow' : 'failed');
        throw error;
      }
    },
    async return() {
      record.end(whyStopped());
      await source.return?.();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The cursor of a result's event, however the client selected; undefined where there is none. */
export function cursorOf(result: ExecutionResult): string | undefined {
  const { cursor } = eventFieldsOf(result) ?? {};
  return typeof cursor === 'string' ? cursor : undefined;
}

/** A Date in this process, text from a subgraph elsewhere. */
function occurredAt(result: ExecutionResult): Date | undefined {
  const { occurredAt: at } = eventFieldsOf(result) ?? {};
  return at instanceof Date || typeof at === 'string' ? new Date(at) : undefined;
}

function slowConsumer(cursor: string | undefined): GraphQLError {
  const extensions = { code: SLOW, ...(cursor === undefined ? {} : { cursor }) };
  return new GraphQLError(CATALOGUE[SLOW].message, { extensions });
}

function isSlowConsumer(error: unknown): boolean {
  return error instanceof GraphQLError && error.extensions.code === SLOW;
}
