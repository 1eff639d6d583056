import { request } from 'undici';
import { type EngineContext, linkContext, type SubgraphTransport, TransportError } from '../engine/index.ts';

/** How long a fetch waits before it checks whether its subgraph is alive, and between two checks. */
const LOOK_AFTER_MS = 1_000;
/** Time in which a living process answers. Both times together are less than the 5 s of decisions, section 7. */
const ANSWER_WITHIN_MS = 3_000;
const TICK_MS = 250;

/** Checks whether a subgraph is alive. Checks at the same time share one request. */
export type LivenessCheck = () => Promise<boolean>;

/**
 * Requests `/health/live` of a process of the product, beside its `/graphql`. Any answer will do: a proxy in between may
 * not let the path through.
 */
export function createLivenessCheck(subgraphUrl: string, withinMs = ANSWER_WITHIN_MS): LivenessCheck {
  const url = new URL('health/live', subgraphUrl);
  let running: Promise<boolean> | undefined;
  const check = async (): Promise<boolean> => {
    const late = new AbortController();
    // It counts ticks, not time: if this process itself was blocked, an answer may have arrived that it has not read
    // yet.
    let left = Math.ceil(withinMs / TICK_MS);
    const timer = setInterval(() => {
      left -= 1;
      if (left <= 0) {
        late.abort();
      }
    }, TICK_MS);
    try {
      const { body } = await request(url, { signal: late.signal });
      await body.dump();
      return true;
    } catch {
      return false;
    } finally {
      clearInterval(timer);
    }
  };
  return () => {
    running ??= check().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/**
 * Adds the check to a transport. A query or mutation fails with `SUBGRAPH_TIMEOUT` soon after its subgraph has died,
 * hangs or cannot be reached. While the subgraph is alive, the fetch continues without a limit, because it may wait
 * for a provider.
 */
export function watchLiveness<Context extends EngineContext>(
  transport: SubgraphTransport<Context>,
  isAlive: LivenessCheck,
  lookAfterMs = LOOK_AFTER_MS,
): SubgraphTransport<Context> {
  return {
    ...transport,
    async execute(fetch, variables, context) {
      const linked = linkContext(context);
      const timer = setInterval(async () => {
        if (!(await isAlive())) {
          linked.abort(new TransportError('SUBGRAPH_TIMEOUT', 'The subgraph did not answer in time.'));
        }
      }, lookAfterMs);
      try {
        return await transport.execute(fetch, variables, linked.context);
      } finally {
        linked.release();
        clearInterval(timer);
      }
    },
  };
}
