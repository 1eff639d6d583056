import { CATALOGUE, type ErrorCode } from '../kernel/errors/catalogue.ts';
import type {
  CardProvider,
  FundingCode,
  FundingProvider,
  FundingRequest,
  IdentityCode,
  IdentityProvider,
  ProviderAnswer,
  UbnProvider,
  WithdrawalAnswer,
} from './types.ts';

/** The meaning of a magic value: the code of a rejection, or a provider that does not answer. */
type Magic<Code extends ErrorCode> = ReadonlyMap<string, Code | 'DOWN'>;

/** By the requester's last name (decisions, section 3, "Screening", and beyond it). */
const IDENTITY: Magic<IdentityCode> = new Map([
  ['OFACHIT', 'ERROR_CIP_NOT_COMPLETED'],
  ['CIPFAIL', 'ERROR_CIP_NOT_COMPLETED'],
  ['CIPNOTFOUND', 'ERROR_CIP_NOT_FOUND'],
  ['CIPLEVELONE', 'ERROR_MUST_PERFORM_LEVEL_ONE_FIRST'],
  ['SUBSCRIBERNOTFOUND', 'ERROR_SUBSCRIBER_NOT_FOUND'],
  ['VALIDATORDOWN', 'DOWN'],
  ['VALIDATORSLOW', 'DOWN'],
  ['VALIDATORBROKEN', 'DOWN'],
]);

/** By card number: numbers that no bank has issued. */
const CARDS: Magic<'CARD_VERIFICATION_ERROR'> = new Map([
  ['4000000000000002', 'CARD_VERIFICATION_ERROR'],
  ['4000000000000119', 'DOWN'],
]);

/** By account number. */
const ACCOUNTS: Magic<'ERROR_ERROR_ADD_SOURCE_UBN_ERROR'> = new Map([
  ['000000000000000002', 'ERROR_ERROR_ADD_SOURCE_UBN_ERROR'],
  ['000000000000000119', 'DOWN'],
]);

/** By the payer's last name. `DOWN` is certain not to have reached the payer. */
const FUNDING: Magic<FundingCode> = new Map<string, FundingCode | 'DOWN'>([
  ['CONTACTNOTFOUND', 'ERROR_CONTACT_NOT_FOUND'],
  ['OPERATIONINVALID', 'ERROR_INVALID_OPERATION'],
  ['OPERATIONNOTFOUND', 'ERROR_OPERATION_NOT_FOUND'],
  ['OPERATIONCOMPLETED', 'ERROR_OPERATION_ALREADY_COMPLETED'],
  ['FUNDINGDOWN', 'DOWN'],
]);

/** By the payer's last name: the answer to the request is lost, and this is the answer to its withdrawal. */
const LOST: ReadonlyMap<string, WithdrawalAnswer['kind']> = new Map([
  ['FUNDINGLOST', 'cancelled'],
  ['FUNDINGPAID', 'already_paid'],
  ['FUNDINGUNKNOWN', 'unavailable'],
]);

/** Identity checks of sandbox calls, without a provider: everybody passes, except the sandbox's magic last names. */
export function createSandboxIdentity(): IdentityProvider {
  return {
    names: { sandbox: 'sandbox', live: 'sandbox' },
    check: async ({ lastName }) => answer(IDENTITY, lastName),
  };
}

/** Card checks of sandbox calls, without a provider: every card is accepted, except the sandbox's magic numbers. */
export function createSandboxCards(): CardProvider {
  return { verify: async ({ number }) => answer(CARDS, number) };
}

/** Account checks of sandbox calls, without a provider: every account is accepted, except the magic numbers. */
export function createSandboxUbn(): UbnProvider {
  return { verify: async ({ number }) => answer(ACCOUNTS, number) };
}

/**
 * Requests of sandbox calls, without a provider: the partner itself gives the payer the attribution link. Last names may be
 * magic.
 */
export function createSandboxFunding(): FundingProvider {
  const lost = ({ payer }: FundingRequest) => LOST.get(payer.lastName ?? '');
  return {
    request: async (request) =>
      lost(request) === undefined
        ? answer(FUNDING, request.payer.lastName ?? '')
        : { kind: 'unavailable', reason: 'The answer of the provider is lost (sandbox).' },
    cancel: async (request) => {
      const kind = lost(request) ?? 'cancelled';
      return kind === 'unavailable'
        ? { kind, reason: 'The provider cannot be reached (sandbox).', notSent: true }
        : { kind };
    },
  };
}

function answer<Code extends ErrorCode>(magic: Magic<Code>, value: string): ProviderAnswer<Code> {
  const found = magic.get(value);
  if (found === undefined) {
    return { kind: 'accepted' };
  }
  return found === 'DOWN'
    ? { kind: 'unavailable', reason: 'The provider cannot be reached (sandbox).', notSent: true }
    : { kind: 'rejected', code: found, reason: CATALOGUE[found].message };
}
