import { Agent, type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { type Result, refuse, succeed } from '../platform/errors/refusal.ts';
import type { Environment } from '../platform/principal.ts';
import type { RequestData } from './body.ts';

const TIMEOUT_MS = 5_000;
const LONGEST_ANSWER_BYTES = 64 * 1024;

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

/** Screening by the identity validator at `url`: one POST, 5 s in all. */
export function createHttpScreening(options: { url: string; timeoutMs?: number }): Screening {
  const agent = new Agent({ connections: 32, maxResponseSize: LONGEST_ANSWER_BYTES });
  return {
    screen: (person) => askValidator(agent, options.url, person, options.timeoutMs ?? TIMEOUT_MS),
    close: () => agent.close(),
  };
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
