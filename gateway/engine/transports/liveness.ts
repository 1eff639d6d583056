import { request } from 'undici';
import { TransportError } from './http-error.ts';
import type { SubgraphTransport } from './transport.ts';

/** A fetch that waits longer looks whether its subgraph is alive, and again after so long. */
const LOOK_AFTER_MS = 1_000;
/** Time in which a living process answers. Together with the above: less than the 5 s of decisions, section 7. */
const ANSWER_WITHIN_MS = 3_000;
const TICK_MS = 250;

/** Asks whether a subgraph is alive; questions at the same time are one. */
export type LivenessCheck = () => Promise<boolean>;

/**
 * Asks a process of the product for `/health/live`, beside its `/graphql`. Any answer will do: what stands between may not
 * let the path through.
 */
export function createLivenessCheck(subgraphUrl: string, withinMs = ANSWER_WITHIN_MS): LivenessCheck {
  const url = new URL('health/live', subgraphUrl);
  let asking: Promise<boolean> | undefined;
  const ask = async (): Promise<boolean> => {
    const late = new AbortController();
    // Ticks, not time: where this process itself stood still, an answer may be there and not have been read yet.
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
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

/**
 * The same transport; a query or mutation whose subgraph has died, hangs or cannot be reached any more fails with
 * `SUBGRAPH_TIMEOUT` soon. One that a living subgraph takes long for goes on: it may wait for a provider.
 */
export function watchLiveness(
  transport: SubgraphTransport,
  isAlive: LivenessCheck,
  lookAfterMs = LOOK_AFTER_MS,
): SubgraphTransport {
  return {
    ...transport,
    async execute(fetch, variables, context) {
      const dead = new AbortController();
      const timer = setInterval(async () => {
        if (!(await isAlive())) {
          dead.abort(new TransportError('SUBGRAPH_TIMEOUT', 'The subgraph did not answer in time.'));
        }
      }, lookAfterMs);
      const signals = context.signal === undefined ? [dead.signal] : [context.signal, dead.signal];
      try {
        return await transport.execute(fetch, variables, { ...context, signal: AbortSignal.any(signals) });
      } finally {
        clearInterval(timer);
      }
    },
  };
}
