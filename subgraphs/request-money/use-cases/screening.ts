import { z } from 'zod';
import { fail, type Result, succeed } from '../../platform/errors/result.ts';
import type { Environment } from '../../platform/principal.ts';
import { createJsonEndpoint, type Exchange } from '../../platform/providers/json-endpoint.ts';
import type { Tracing } from '../../platform/tracing/tracing.ts';
import type { RequestData } from '../commands/create-request-money.ts';

const TIMEOUT_MS = 5_000;

/** Who is screened. */
export type Screened = Pick<RequestData, 'name' | 'dob'> & { country: string };

/**
 * Checks a requester against watch lists. Failures: OFAC_HIT; IDENTITY_VALIDATOR_UNAVAILABLE, _TIMEOUT,
 * _BAD_RESPONSE, _NOT_CONFIGURED (decisions, section 3, "Screening").
 */
export interface Screening {
  screen(person: Screened, environment: Environment): Promise<Result<'clear'>>;
  close(): Promise<void>;
}

const answerSchema = z.object({ result: z.enum(['clear', 'hit']) });

/** How the validator is called. */
export interface HttpScreeningOptions {
  readonly url: string;
  /** Default 5,000. */
  readonly timeoutMs?: number;
  /** How long no call is made of a validator that does not answer. Default 2,000. */
  readonly leaveAloneMs?: number;
  /** Default: no tracing. */
  readonly tracing?: Tracing;
}

/**
 * Screening by the identity validator at `url`: one POST, 5 s in all. When it has not answered 20 calls in a row, calls
 * fail with IDENTITY_VALIDATOR_UNAVAILABLE at once, without waiting for its time-out, until a single call, tried every
 * 2 s, is answered.
 */
export function createHttpScreening({ timeoutMs = TIMEOUT_MS, ...options }: HttpScreeningOptions): Screening {
  const endpoint = createJsonEndpoint({ ...options, timeoutMs, name: 'screening' });
  return {
    screen: async ({ name, dob, country }) => judge(await endpoint.post({ body: { name, dob, country } })),
    close: endpoint.close,
  };
}

function judge(exchanged: Exchange): Result<'clear'> {
  if (exchanged.kind === 'timeout') {
    return fail('IDENTITY_VALIDATOR_TIMEOUT');
  }
  if (exchanged.kind !== 'answered' || exchanged.statusCode >= 500) {
    return fail('IDENTITY_VALIDATOR_UNAVAILABLE');
  }
  const answer = exchanged.statusCode === 200 ? answerSchema.safeParse(exchanged.body) : undefined;
  if (!answer?.success) {
    return fail('IDENTITY_VALIDATOR_BAD_RESPONSE');
  }
  return answer.data.result === 'clear' ? succeed('clear') : fail('OFAC_HIT');
}

/** Last names that mean something in the sandbox; all others are clear. */
const SANDBOX_RULE: ReadonlyMap<string, 'OFAC_HIT' | 'IDENTITY_VALIDATOR_UNAVAILABLE'> = new Map([
  ['OFACHIT', 'OFAC_HIT'],
  ['VALIDATORDOWN', 'IDENTITY_VALIDATOR_UNAVAILABLE'],
]);

/** Screening without a validator: a rule by last name for sandbox keys, a failure for live ones. */
export function createSandboxScreening(): Screening {
  return {
    screen: async ({ name }, environment) => {
      if (environment === 'live') {
        return fail('IDENTITY_VALIDATOR_NOT_CONFIGURED');
      }
      const failure = SANDBOX_RULE.get(name.lastName);
      return failure === undefined ? succeed('clear') : fail(failure);
    },
    close: async () => undefined,
  };
}
