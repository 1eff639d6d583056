import { z } from 'zod';
import { type AccountId, type Environment, environmentOf } from '../../kernel/account.ts';
import type { BlindIndex } from '../../kernel/crypto/blind-index.ts';
import type { ErrorCode } from '../../kernel/errors/catalogue.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { canonicalJson } from '../../kernel/json/canonical.ts';
import type { Tracing } from '../../kernel/tracing/tracing.ts';
import { createJsonEndpoint, type Exchange, type JsonEndpoint } from '../../providers/json-endpoint.ts';
import { providerKey } from '../../providers/provider-key.ts';
import type { RequestData } from '../commands/create-request-money.ts';

const TIMEOUT_MS = 5_000;

/** The screened person. */
export type Screened = Pick<RequestData, 'name' | 'dob'> & { country: string };

/** The create that a requester is screened for. */
export interface ScreeningCall {
  /** Its environment decides which validator answers. */
  readonly accountId: AccountId;
  readonly referenceId: string;
}

/**
 * Checks a requester against watch lists. Failures: OFAC_HIT; IDENTITY_VALIDATOR_UNAVAILABLE, _TIMEOUT,
 * _BAD_RESPONSE, _NOT_CONFIGURED (decisions, section 3, "Screening").
 */
export interface Screening {
  screen(person: Screened, call: ScreeningCall): Promise<Result<'clear'>>;
  close(): Promise<void>;
}

const answerSchema = z.object({ result: z.enum(['clear', 'hit']) });

/** The validators of both environments, and how they are called. */
export interface ScreeningOptions {
  /** `IDENTITY_VALIDATOR_URL` and `SANDBOX_IDENTITY_VALIDATOR_URL`, by environment. */
  readonly urls: Readonly<Record<Environment, string | undefined>>;
  /** Makes idempotency keys that do not reveal who is screened. */
  readonly blindIndex: BlindIndex;
  /** Default 5,000. */
  readonly timeoutMs?: number;
  /** How long no call is made of a validator that does not answer. Default 2,000. */
  readonly leaveAloneMs?: number;
  /** Default: no tracing. */
  readonly tracing?: Tracing;
}

/**
 * Screening by the identity validator of the call's environment: one POST, 5 s in all. When it has not answered 20 calls of a
 * tenant in a row, calls of that tenant fail with IDENTITY_VALIDATOR_UNAVAILABLE at once, without waiting for its time-out,
 * until a single call, tried every 2 s, is answered. Without a validator, a rule by last name screens sandbox calls, and live
 * calls fail with IDENTITY_VALIDATOR_NOT_CONFIGURED.
 */
export function createScreening({ urls, blindIndex, ...options }: ScreeningOptions): Screening {
  const toEndpoint = (url: string | undefined) =>
    url === undefined
      ? undefined
      : createJsonEndpoint({ timeoutMs: TIMEOUT_MS, ...options, url, name: 'screening' });
  const endpoints = { sandbox: toEndpoint(urls.sandbox), live: toEndpoint(urls.live) };
  return {
    screen: async (person, call) => {
      const endpoint = endpoints[environmentOf(call.accountId)];
      if (endpoint) {
        return judge(await post(endpoint, person, call, blindIndex));
      }
      return environmentOf(call.accountId) === 'sandbox'
        ? screenByRule(person)
        : fail('IDENTITY_VALIDATOR_NOT_CONFIGURED');
    },
    close: async () => {
      await Promise.all([endpoints.sandbox?.close(), endpoints.live?.close()]);
    },
  };
}

/** The same person for the same create has the same key. A corrected name has another one, for its answer may differ. */
function post(
  endpoint: JsonEndpoint,
  { name, dob, country }: Screened,
  { accountId, referenceId }: ScreeningCall,
  blindIndex: BlindIndex,
): Promise<Exchange> {
  const body = { name, dob, country };
  const digest = blindIndex.digest(accountId, 'screening', canonicalJson({ ...body, dob: dob ?? null }));
  const idempotencyKey = providerKey(accountId, referenceId, digest, 'SCREENING');
  return endpoint.post({ body, idempotencyKey, accountId });
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
const SANDBOX_RULE: ReadonlyMap<string, ErrorCode> = new Map<string, ErrorCode>([
  ['OFACHIT', 'OFAC_HIT'],
  ['VALIDATORDOWN', 'IDENTITY_VALIDATOR_UNAVAILABLE'],
  ['VALIDATORSLOW', 'IDENTITY_VALIDATOR_TIMEOUT'],
  ['VALIDATORBROKEN', 'IDENTITY_VALIDATOR_BAD_RESPONSE'],
]);

function screenByRule({ name }: Screened): Result<'clear'> {
  const failure = SANDBOX_RULE.get(name.lastName);
  return failure === undefined ? succeed('clear') : fail(failure);
}
