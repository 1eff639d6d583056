import { type ExecutionResult, GraphQLError } from 'graphql';
import type { AccountId } from '../../../subgraphs/kernel/account.ts';
import { CATALOGUE } from '../../../subgraphs/kernel/errors/catalogue.ts';
import type { Logger } from '../../../subgraphs/kernel/log/log.ts';
import type { RequestContext } from '../../../subgraphs/kernel/principal.ts';
import { BoundedQueue, eventFieldsOf, type QueueFailure, type QueueOptions } from '../../engine/index.ts';
import type { StreamEndReason, StreamMetrics } from '../../observe/stream-metrics.ts';
import { sharedTextBytes } from './shared-text.ts';

/** The fields of events that streams read; every type of event has them. */
export const EVENT_FIELDS = ['cursor', 'occurredAt'] as const;

/** The owner of a stream. */
export interface StreamClient {
  readonly transport: 'websocket' | 'sse';
  readonly context: Pick<RequestContext, 'principal' | 'requestId' | 'signal'>;
  /** Returns the reason for a stopped stream: its client, unless another reason is known. */
  whyStopped(): StreamEndReason;
}

/** Subscriptions on their way to clients. */
export interface ClientStreams {
  /**
   * Counts the results of one subscription, and logs one line when they end. Live events are read ahead up to the
   * limit. Beyond it the stream fails with a GraphQLError `SLOW_CONSUMER`, which has the cursor of the last taken
   * event, so that the client can continue after it. Events from before the start are read as fast as the client
   * takes them, without a limit on their number.
   */
  open(
    results: AsyncIterableIterator<ExecutionResult>,
    client: StreamClient,
  ): AsyncIterableIterator<ExecutionResult>;
}

interface ClientStreamDeps {
  /** The amount that may wait for a slow client, in events and bytes of JSON. One event may always wait, whatever its size. */
  readonly limits: { readonly events: number; readonly bytes: number };
  readonly metrics: StreamMetrics;
  readonly log: Pick<Logger, 'info'>;
  /** The current time; by default the process's. */
  clock?(): Date;
  /** How far the account's clock, by which its events occur, is ahead of `clock`, milliseconds; by default not at all. */
  aheadMs?(accountId: AccountId): number;
}

const SLOW = 'SLOW_CONSUMER';

/** Makes the streams of a gateway. */
export function createClientStreams(deps: ClientStreamDeps): ClientStreams {
  return { open: (results, client) => new ClientStream(results, deps, client) };
}

const now = () => new Date();

/**
 * One running stream, for one reader, which calls `next` after it has handled the result before.
 *
 * A class, because thousands wait at a time: each is this object, its queue and the promises of one pending read.
 */
class ClientStream implements AsyncIterableIterator<ExecutionResult>, QueueOptions<ExecutionResult> {
  readonly #source: AsyncIterableIterator<ExecutionResult>;
  readonly #deps: ClientStreamDeps;
  readonly #client: StreamClient;
  readonly #openedAt: number;
  readonly #queue: BoundedQueue<ExecutionResult>;
  #isReading = false;
  #events = 0;
  #cursor: string | undefined;
  #isFailed = false;
  #isOpen = true;
  readonly #onItem = (item: IteratorResult<ExecutionResult>) => this.#receive(item);
  readonly #onError = (error: unknown) => this.#queue.fail(error);

  constructor(source: AsyncIterableIterator<ExecutionResult>, deps: ClientStreamDeps, client: StreamClient) {
    this.#source = source;
    this.#deps = deps;
    this.#client = client;
    this.#openedAt = this.#now();
    this.#queue = new BoundedQueue(this);
    deps.metrics.started();
  }

  next(): Promise<IteratorResult<ExecutionResult>> {
    const isWaiting = this.#queue.size === 0;
    const result = this.#queue.next();
    if (isWaiting) {
      this.#read();
    }
    return result;
  }

  async return(): Promise<IteratorResult<ExecutionResult>> {
    this.#end(this.#client.whyStopped());
    const wasOpen = !this.#queue.isOver;
    const done = await this.#queue.return();
    if (wasOpen) {
      await this.#source.return?.();
    }
    return done;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  get limit(): number {
    return this.#deps.limits.events;
  }

  get maxBytes(): number {
    return this.#deps.limits.bytes;
  }

  sizeOf(result: ExecutionResult): number {
    return sharedTextBytes(result);
  }

  taken(result: ExecutionResult): void {
    this.#cursor = cursorOf(result) ?? this.#cursor;
    // The last result of a source that failed has no event.
    this.#isFailed = result.errors !== undefined && eventFieldsOf(result) === undefined;
    this.#events += 1;
    const at = this.#occurredAt(result);
    this.#deps.metrics.sent(this.#isLive(at) ? Math.max(0, this.#now() - at) / 1_000 : undefined);
  }

  over(failure: QueueFailure | undefined): void {
    if (failure !== undefined) {
      this.#end(isSlowConsumer(failure.error) ? 'slow' : 'failed');
      return;
    }
    // A client that goes away ends the source too, and the source may notice it first.
    const { signal } = this.#client.context;
    const how = this.#isFailed ? 'failed' : 'completed';
    this.#end(signal?.aborted ? this.#client.whyStopped() : how);
  }

  /** Reads the next result, unless one is being read. */
  #read(): void {
    if (!(this.#isReading || this.#queue.isOver)) {
      this.#isReading = true;
      this.#source.next().then(this.#onItem, this.#onError);
    }
  }

  #receive(item: IteratorResult<ExecutionResult>): void {
    this.#isReading = false;
    if (this.#queue.isOver) {
      return;
    }
    if (item.done === true) {
      this.#queue.end();
    } else if (!this.#queue.push(item.value)) {
      this.#endSlow();
    } else if (this.#isLive(this.#occurredAt(item.value))) {
      // Otherwise the reader sets the pace.
      this.#read();
    }
  }

  #endSlow(): void {
    this.#end('slow');
    this.#queue.clear();
    this.#queue.fail(slowConsumer(this.#cursor));
    // The stream fails with its own reason; the source reports a failed end.
    this.#source.return?.().catch(() => undefined);
  }

  #now(): number {
    return (this.#deps.clock ?? now)().getTime();
  }

  /** When the result's event occurred, by `clock`. */
  #occurredAt(result: ExecutionResult): number {
    const { principal } = this.#client.context;
    return occurredAt(result) - (principal === null ? 0 : (this.#deps.aheadMs?.(principal.accountId) ?? 0));
  }

  #isLive(at: number): boolean {
    return at >= this.#openedAt;
  }

  #end(reason: StreamEndReason): void {
    if (!this.#isOpen) {
      return;
    }
    this.#isOpen = false;
    this.#deps.metrics.ended(reason);
    const { transport, context } = this.#client;
    const { principal, requestId } = context;
    const ms = this.#now() - this.#openedAt;
    this.#deps.log.info(
      { reason, transport, events: this.#events, ms, accountId: principal?.accountId, requestId },
      'subscription.ended',
    );
  }
}

/** The cursor of a result's event, even if the client did not select it; undefined without one. */
export function cursorOf(result: ExecutionResult): string | undefined {
  const { cursor } = eventFieldsOf(result) ?? {};
  return typeof cursor === 'string' ? cursor : undefined;
}

/** When a result's event occurred by the account's clock, milliseconds since 1970, or 0. A Date in this process, text from a subgraph elsewhere. */
function occurredAt(result: ExecutionResult): number {
  const { occurredAt: at } = eventFieldsOf(result) ?? {};
  return at instanceof Date ? at.getTime() : typeof at === 'string' ? new Date(at).getTime() : 0;
}

function slowConsumer(cursor: string | undefined): GraphQLError {
  const extensions = { code: SLOW, ...(cursor === undefined ? {} : { cursor }) };
  return new GraphQLError(CATALOGUE[SLOW].message, { extensions });
}

function isSlowConsumer(error: unknown): boolean {
  return error instanceof GraphQLError && error.extensions.code === SLOW;
}
