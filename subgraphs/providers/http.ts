import { z } from 'zod';
import { LONGEST_CALL_MS } from '../kernel/config/work-settings.ts';
import { CATALOGUE, type ErrorCode } from '../kernel/errors/catalogue.ts';
import { keysOf } from '../kernel/objects.ts';
import { maskLongNumbers } from '../kernel/person/mask-numbers.ts';
import { isBlank, toAcceptedText } from '../kernel/text.ts';
import {
  createJsonEndpoint,
  type EndpointOptions,
  type Exchange,
  type JsonEndpoint,
} from './json-endpoint.ts';
import type {
  CardProvider,
  FundingCode,
  FundingProvider,
  IdentityCode,
  IdentityProvider,
  ProviderAnswer,
  ProviderCall,
  UbnProvider,
  Unavailable,
} from './types.ts';

const IDENTITY_TIMEOUT_MS = 5_000;
const LONGEST_REASON = 200;

/** A provider that has connections. */
export type Closable<Provider> = Provider & Pick<JsonEndpoint, 'close'>;

/** The address of a provider, and how many calls an account makes at once; the other two options are for tests. */
type HttpProviderOptions = Pick<EndpointOptions, 'url' | 'callsOfAGroup' | 'leaveAloneMs' | 'tracing'> & {
  timeoutMs?: number;
};

const IDENTITY_RESULTS = {
  clear: undefined,
  hit: 'ERROR_CIP_NOT_COMPLETED',
  not_found: 'ERROR_CIP_NOT_FOUND',
  level_one_required: 'ERROR_MUST_PERFORM_LEVEL_ONE_FIRST',
  subscriber_not_found: 'ERROR_SUBSCRIBER_NOT_FOUND',
} as const satisfies Record<string, IdentityCode | undefined>;

const identityAnswer = z.object({
  result: z.enum(keysOf(IDENTITY_RESULTS)),
});

/** Identity checks by the validator that also screens (decisions, section 3, "Screening"). Here it has more answers. */
export function createHttpIdentity(options: HttpProviderOptions): Closable<IdentityProvider> {
  const endpoint = createJsonEndpoint({ timeoutMs: IDENTITY_TIMEOUT_MS, name: 'identity', ...options });
  return {
    names: { sandbox: 'validator', live: 'validator' },
    check: async ({ dob, country, ...name }, call) => {
      const exchanged = await endpoint.post({ ...call, body: { name, dob, country } });
      const answer = readAnswer(exchanged, identityAnswer);
      if (answer === undefined) {
        return unavailable(exchanged);
      }
      const code = IDENTITY_RESULTS[answer.result];
      return code === undefined ? { kind: 'accepted' } : rejected(code);
    },
    close: endpoint.close,
  };
}

export function createHttpCards(options: HttpProviderOptions): Closable<CardProvider> {
  const { call, close } = createCaller<'CARD_VERIFICATION_ERROR'>('cards', options, [
    'CARD_VERIFICATION_ERROR',
  ]);
  return { verify: call, close };
}

export function createHttpUbn(options: HttpProviderOptions): Closable<UbnProvider> {
  const { call, close } = createCaller<'ERROR_ERROR_ADD_SOURCE_UBN_ERROR'>('ubn', options, [
    'ERROR_ERROR_ADD_SOURCE_UBN_ERROR',
  ]);
  return { verify: call, close };
}

export function createHttpFunding(options: HttpProviderOptions): Closable<FundingProvider> {
  const { call, close } = createCaller<FundingCode>('funding', options, [
    'ERROR_INVALID_OPERATION',
    'ERROR_CONTACT_NOT_FOUND',
    'ERROR_OPERATION_NOT_FOUND',
    'ERROR_OPERATION_ALREADY_COMPLETED',
  ]);
  const cancelling = createJsonEndpoint({
    timeoutMs: LONGEST_CALL_MS,
    name: 'funding-cancel',
    ...options,
    url: cancelUrl(options.url),
  });
  return {
    request: call,
    cancel: async (about, given) => {
      const { tenantId, operationId } = about;
      const exchanged = await cancelling.post({ ...given, body: { tenantId, operationId }, about });
      const answer = readAnswer(exchanged, withdrawalAnswer);
      return answer === undefined ? unavailable(exchanged) : { kind: answer.result };
    },
    close: async () => {
      await Promise.all([close(), cancelling.close()]);
    },
  };
}

const withdrawalAnswer = z.object({ result: z.enum(['cancelled', 'not_found', 'already_paid']) });

/** The address of withdrawals: `/cancel` below the provider's, whose query stays. */
function cancelUrl(url: string): string {
  const cancel = new URL(url);
  cancel.pathname = `${cancel.pathname.replace(/\/+$/, '')}/cancel`;
  return cancel.toString();
}

/** @param codes codes of a rejection; the first one when the provider names none */
function createCaller<Code extends ErrorCode>(
  name: string,
  options: HttpProviderOptions,
  codes: readonly [Code, ...Code[]],
) {
  const endpoint = createJsonEndpoint({ timeoutMs: LONGEST_CALL_MS, name, ...options });
  const schema = z.discriminatedUnion('result', [
    z.object({ result: z.literal('accepted') }),
    z.object({
      result: z.literal('refused'),
      code: z.enum(codes).optional(),
      reason: z.string().optional(),
    }),
  ]);
  return {
    call: async (body: object, given: ProviderCall): Promise<ProviderAnswer<Code>> => {
      const exchanged = await endpoint.post({ ...given, body });
      const answer = readAnswer(exchanged, schema);
      if (answer === undefined) {
        return unavailable(exchanged);
      }
      return answer.result === 'accepted'
        ? { kind: 'accepted' }
        : rejected(answer.code ?? codes[0], answer.reason);
    },
    close: endpoint.close,
  };
}

function readAnswer<Answer>(exchanged: Exchange, schema: z.ZodType<Answer>): Answer | undefined {
  return exchanged.kind === 'answered' && exchanged.statusCode === 200
    ? schema.safeParse(exchanged.body).data
    : undefined;
}

const NO_ANSWER: Readonly<Record<Exclude<Exchange['kind'], 'answered'>, string>> = {
  timeout: 'The provider did not answer in time.',
  unreachable: 'The provider cannot be reached.',
  left_alone: 'The provider has not answered lately.',
};

function unavailable(exchanged: Exchange): Unavailable {
  if (exchanged.kind === 'answered') {
    return {
      kind: 'unavailable',
      reason: `The provider gave no usable answer (HTTP ${exchanged.statusCode}).`,
      ...(exchanged.retryAfterMs !== undefined && { retryAfterMs: exchanged.retryAfterMs }),
    };
  }
  const reason = NO_ANSWER[exchanged.kind];
  return { kind: 'unavailable', reason, ...(exchanged.notSent && { notSent: true }) };
}

function rejected<Code extends ErrorCode>(code: Code, reason?: string): ProviderAnswer<Code> {
  // A provider may repeat the number that it got; reasons are stored and sent to partners.
  const text = toAcceptedText(maskLongNumbers(reason?.trim() ?? ''));
  const shown = [...text].slice(0, LONGEST_REASON).join('');
  return { kind: 'rejected', code, reason: isBlank(shown) ? CATALOGUE[code].message : shown };
}
