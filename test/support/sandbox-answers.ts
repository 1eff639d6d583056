import type { ErrorCode } from '../../subgraphs/kernel/errors/catalogue.ts';
import {
  createSandboxCards,
  createSandboxFunding,
  createSandboxIdentity,
  createSandboxUbn,
} from '../../subgraphs/providers/sandbox.ts';
import type {
  AccountDetails,
  CardDetails,
  FundingRequest,
  IdentityCode,
  Person,
  ProviderAnswer,
  ProviderCall,
} from '../../subgraphs/providers/types.ts';
import { type Behaviour, FOREVER, type ProviderRequest, UNAVAILABLE } from './providers.ts';

type Answering = NonNullable<Behaviour['answer']>;
/** A body that the product made of exactly such a value: nothing here checks it again. */
type Body = CardDetails & AccountDetails & FundingRequest & { readonly name: Person } & Pick<Person, 'dob'>;

const IDENTITY_RESULTS: Readonly<Record<IdentityCode, string>> = {
  ERROR_CIP_NOT_COMPLETED: 'hit',
  ERROR_CIP_NOT_FOUND: 'not_found',
  ERROR_MUST_PERFORM_LEVEL_ONE_FIRST: 'level_one_required',
  ERROR_SUBSCRIBER_NOT_FOUND: 'subscriber_not_found',
};
/** Answers to the screening of payer links, which has a rule of its own in the sandbox. */
const SCREENING: Readonly<Record<string, ReturnType<Answering>>> = {
  OFACHIT: { result: 'hit' },
  VALIDATORDOWN: UNAVAILABLE,
  VALIDATORSLOW: FOREVER,
  VALIDATORBROKEN: { result: 'broken' },
};

/**
 * Answers over HTTP as the sandbox providers answer in the process, so that live calls have the outcomes of sandbox calls. It
 * cannot play a provider that certainly has not got a call.
 */
export function answerAsSandbox(): Answering {
  const [identity, cards, ubn, funding] = [
    createSandboxIdentity(),
    createSandboxCards(),
    createSandboxUbn(),
    createSandboxFunding(),
  ] as const;
  /** Requests for money by their keys: a withdrawal does not repeat the payer. */
  const asked = new Map<string, FundingRequest>();
  return async (request) => {
    const call = callOf(request);
    const body = JSON.parse(request.body) as Body;
    switch (request.service) {
      case 'identity':
        return request.key.endsWith('SCREENING')
          ? (SCREENING[body.name.lastName] ?? { result: 'clear' })
          : identityAnswer(await identity.check({ ...body, ...body.name }, call));
      case 'cards':
        return answerOf(await cards.verify(body, call));
      case 'ubn':
        return answerOf(await ubn.verify(body, call));
      case 'funding':
        asked.set(request.key, body);
        return answerOf(await funding.request(body, call));
      case 'funding/cancel': {
        const withdrawn = asked.get(request.key);
        const { kind } = withdrawn ? await funding.cancel(withdrawn, call) : { kind: 'not_found' as const };
        return kind === 'unavailable' ? UNAVAILABLE : { result: kind };
      }
    }
  };
}

/** No sandbox provider reads more of a call. */
function callOf({ key }: ProviderRequest): ProviderCall {
  return { idempotencyKey: key, accountId: 'any/live' };
}

function identityAnswer(answer: ProviderAnswer<IdentityCode>) {
  switch (answer.kind) {
    case 'accepted':
      return { result: 'clear' };
    case 'rejected':
      return { result: IDENTITY_RESULTS[answer.code] };
    default:
      return UNAVAILABLE;
  }
}

function answerOf(answer: ProviderAnswer<ErrorCode>) {
  switch (answer.kind) {
    case 'accepted':
      return { result: 'accepted' };
    case 'rejected':
      return { result: 'refused', code: answer.code, reason: answer.reason };
    default:
      return UNAVAILABLE;
  }
}
