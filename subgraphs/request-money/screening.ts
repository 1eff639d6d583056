import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhenResult } from 'cockatiel';
import { Agent, type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { type Result, refuse, succeed } from '../platform/errors/refusal.ts';
import type { Environment } from '../platform/principal.ts';
import type { RequestData } from './body.ts';

const TIMEOUT_MS = 5_000;
const LONGEST_ANSWER_BYTES = 64 * 1024;
/** So many calls in a row without an answer, of any tenant, and the validator is left alone for a moment. */
const FAILURES_IN_A_ROW = 20;
const LEAVE_ALONE_MS = 2_000;

/** Who is screened. */
export type Screened = Pick<RequestData, 'name' | 'dob'> & { country: string };

/**
 * Checks a requester against watch lists. Refusals: OFAC_HIT; IDENTITY_VALIDATOR_UNAVAILABLE, _TIMEOUT,
 * _BAD_RESPONSE, _NOT_CONFIGURED (decisions, section 3, "Screening").
 */
export interface Screening {
  screen(person: Screened, environment: Environment): Promise<Result<'clear'>>;
  close(): Promise<void>;
}

const answerSchema = z.object({ result: z.enum(['clear', 'hit']) });

/** How a validator is asked. */
export interface HttpScreeningOptions {
  readonly url: string;
  /** Default 5,000. */
  readonly timeoutMs?: number;
  /** How long a validator that does not answer is left alone. Default 2,000. */
  readonly leaveAloneMs?: number;
}

/**
 * Screening by the identity validator at `url`: one POST, 5 s in all. When it has not answered 20 calls in a row, calls
 * are refused with IDENTITY_VALIDATOR_UNAVAILABLE at once, without waiting for its timeout, until a single call, tried
 * every 2 s, is answered.
 */
export function createHttpScreening(options: HttpScreeningOptions): Screening {
  const agent = new Agent({ connections: 32, maxResponseSize: LONGEST_ANSWER_BYTES });
  const breaker = circuitBreaker(handleWhenResult(isUnanswered), {
    halfOpenAfter: options.leaveAloneMs ?? LEAVE_ALONE_MS,
    breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
  });
  return {
    async screen(person) {
      try {
        return await breaker.execute(() =>
          askValidator(agent, options.url, person, options.timeoutMs ?? TIMEOUT_MS),
        );
      } catch (error) {
        if (error instanceof BrokenCircuitError) {
          return refuse('IDENTITY_VALIDATOR_UNAVAILABLE');
        }
        throw error;
      }
    },
    close: () => agent.close(),
  };
}

const UNANSWERED: ReadonlySet<unknown> = new Set([
  'IDENTITY_VALIDATOR_UNAVAILABLE',
  'IDENTITY_VALIDATOR_TIMEOUT',
]);

/** The breaker sees results of any type; it is given this one only. */
function isUnanswered(result: unknown): boolean {
  const screened = result as Result<'clear'>;
  return !screened.ok && screened.refusals.some(({ code }) => UNANSWERED.has(code));
}

async function askValidator(
  agent: Dispatcher,
  url: string,
  person: Screened,
  timeoutMs: number,
): Promise<Result<'clear'>> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { name, dob, country } = person;
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ name, dob, country }),
      signal,
    });
    return judge(answer.statusCode, await answer.body.text());
  } catch {
    // undici reports every failure to get an answer by throwing; which kind it was is all that the caller may know.
    return refuse(signal.aborted ? 'IDENTITY_VALIDATOR_TIMEOUT' : 'IDENTITY_VALIDATOR_UNAVAILABLE');
  }
}

function judge(statusCode: number, body: string): Result<'clear'> {
  if (statusCode >= 500) {
    return refuse('IDENTITY_VALIDATOR_UNAVAILABLE');
  }
  const answer = statusCode === 200 ? answerSchema.safeParse(parseOrUndefined(body)) : undefined;
  if (!answer?.success) {
    return refuse('IDENTITY_VALIDATOR_BAD_RESPONSE');
  }
  return answer.data.result === 'clear' ? succeed('clear') : refuse('OFAC_HIT');
}

function parseOrUndefined(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Last names that play a part in the sandbox; all others are clear. */
const SANDBOX_RULE: ReadonlyMap<string, 'OFAC_HIT' | 'IDENTITY_VALIDATOR_UNAVAILABLE'> = new Map([
  ['OFACHIT', 'OFAC_HIT'],
  ['VALIDATORDOWN', 'IDENTITY_VALIDATOR_UNAVAILABLE'],
]);

/** Screening without a validator: a rule by last name for sandbox keys, a refusal for live ones. */
export function createSandboxScreening(): Screening {
  return {
    screen: async ({ name }, environment) => {
      if (environment === 'live') {
        return refuse('IDENTITY_VALIDATOR_NOT_CONFIGURED');
      }
      const refusal = SANDBOX_RULE.get(name.lastName);
      return refusal === undefined ? succeed('clear') : refuse(refusal);
    },
    close: async () => undefined,
  };
}
