import { pause } from '../../../../subgraphs/kernel/abort.ts';
import { messageOf } from '../../../../subgraphs/kernel/errors/thrown.ts';
import type { Latencies } from './latencies.ts';

/** A request of the partner. */
export interface PartnerCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

/** An answer, as text. */
export interface PartnerAnswer {
  readonly status: number;
  readonly text: string;
}

/** The answer to a call, and whether the call was sent again for it: an earlier attempt may have had its effect. */
interface CallAnswer extends PartnerAnswer {
  readonly isRepeated: boolean;
}

/** A partner's client. */
export interface PartnerClient {
  /**
   * Calls, and calls again while the answer is 503 or the connection breaks.
   * @param kind of call, under which its time counts
   * @throws Error after two minutes without another answer
   */
  call(kind: string, call: PartnerCall): Promise<CallAnswer>;
  /** How often a call was sent again. */
  repeats(): number;
}

const CALL_MS = 60_000;
const PATIENCE_MS = 120_000;
const PAUSE_MS = 250;
const UNAVAILABLE = 503;

/**
 * @param latencies gets the time of each answer, but of 503
 * @param signal ends the repeats of calls
 */
export function createPartnerClient(
  { url, key }: { readonly url: string; readonly key: string },
  latencies: Latencies,
  signal: AbortSignal,
): PartnerClient {
  let repeats = 0;
  const once = async (kind: string, call: PartnerCall): Promise<PartnerAnswer> => {
    const began = performance.now();
    const answer = await send(url, key, call);
    if (answer.status !== UNAVAILABLE) {
      latencies.add(kind, performance.now() - began);
    }
    return answer;
  };
  return {
    repeats: () => repeats,
    call: async (kind, call) => {
      const deadline = performance.now() + PATIENCE_MS;
      for (let isRepeated = false; ; isRepeated = true) {
        const answer = await once(kind, call).catch((error: unknown) => ({
          status: UNAVAILABLE,
          text: messageOf(error),
        }));
        if (answer.status !== UNAVAILABLE) {
          return { ...answer, isRepeated };
        }
        if (performance.now() > deadline) {
          throw new Error(
            `${call.method} ${call.path} is not answered for ${PATIENCE_MS / 1000} s: ${answer.text}`,
          );
        }
        await pause(PAUSE_MS, signal);
        signal.throwIfAborted();
        repeats += 1;
      }
    },
  };
}

async function send(
  url: string,
  key: string,
  { method, path, body, idempotencyKey }: PartnerCall,
): Promise<PartnerAnswer> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: {
      'X-API-Key': key,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
    signal: AbortSignal.timeout(CALL_MS),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}
