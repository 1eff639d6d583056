import type { AccountId, Environment } from '../kernel/account.ts';
import type { ErrorCode } from '../kernel/errors/catalogue.ts';
import type { Result } from '../kernel/errors/result.ts';

/**
 * The outcome of a request to a provider. `rejected` is final. `unavailable` may pass: there was no answer in time, none that
 * can be understood, or no connection.
 */
export type ProviderAnswer<Code extends ErrorCode> =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly code: Code; readonly reason: string }
  | Unavailable;

/** A call without a readable answer. */
export interface Unavailable {
  readonly kind: 'unavailable';
  readonly reason: string;
  /**
   * Set when the provider certainly has not got the call: there was no connection, or no call was made. Without it, the
   * provider may have acted.
   */
  readonly notSent?: true;
  /** The wait that the provider requests by `Retry-After`. */
  readonly retryAfterMs?: number;
}

/** The common part of every call to a provider. */
export interface ProviderCall {
  /**
   * Made by {@link providerKey}. It is the same for each repetition of a call, and so is the body: a provider that knows the
   * key does nothing twice.
   */
  readonly idempotencyKey: string;
  /**
   * The account of the call. Its environment decides which provider answers, and is sent as `X-Environment`. A provider that
   * fails for one account is still called for the others.
   */
  readonly accountId: AccountId;
  /** The operation that the call is for. An answer that carries another one is not accepted. */
  readonly operationId?: string;
  /**
   * Set for work that nobody waits for. While another call tries whether a provider answers again, this call waits instead of
   * counting as unanswered.
   */
  readonly isPatient?: boolean;
}

/** A person whose identity is checked. */
export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly secondName?: string;
  readonly secondLastName?: string;
  /** YYYY-MM-DD */
  readonly dob?: string;
  /** ISO 3166-1 alpha-2 */
  readonly country: string;
}

/** Codes of a rejected identity check (document 1, "Errors"). */
export type IdentityCode =
  | 'ERROR_CIP_NOT_COMPLETED'
  | 'ERROR_CIP_NOT_FOUND'
  | 'ERROR_MUST_PERFORM_LEVEL_ONE_FIRST'
  | 'ERROR_SUBSCRIBER_NOT_FOUND';

/** Checks who a requester is: the phase `CIP`. */
export interface IdentityProvider {
  /** The name of the checker in each environment, as it is stored with the user. */
  readonly names: Readonly<Record<Environment, string>>;
  check(person: Person, call: ProviderCall): Promise<ProviderAnswer<IdentityCode>>;
}

/** A card with its number; it is never stored like this. */
export interface CardDetails {
  /** 12 to 19 digits. */
  readonly number: string;
  readonly nameOnCard: string;
  /** MMYY */
  readonly expirationDate: string;
  readonly country: string;
  readonly currency: string;
}

/** Verifies cards that money is paid out to. */
export interface CardProvider {
  verify(card: CardDetails, call: ProviderCall): Promise<ProviderAnswer<'CARD_VERIFICATION_ERROR'>>;
}

/** A bank account by its unified bank number. */
export interface AccountDetails {
  readonly number: string;
  readonly country: string;
  readonly currency: string;
}

/** Verifies bank accounts (UBN) that money is paid out to. */
export interface UbnProvider {
  verify(
    account: AccountDetails,
    call: ProviderCall,
  ): Promise<ProviderAnswer<'ERROR_ERROR_ADD_SOURCE_UBN_ERROR'>>;
}

/** A request for money, as it is presented to the payer. Amounts are decimal strings. */
export interface FundingRequest {
  readonly tenantId: string;
  readonly operationId: string;
  readonly payer: { readonly phoneNumber: string; readonly firstName?: string; readonly lastName?: string };
  readonly amount: string;
  readonly currency: string;
  readonly recipientAmount: string;
  readonly recipientCurrency: string;
}

/** Codes of a rejected request for money (document 1, "Errors"). */
export type FundingCode =
  | 'ERROR_CONTACT_NOT_FOUND'
  | 'ERROR_INVALID_OPERATION'
  | 'ERROR_OPERATION_NOT_FOUND'
  | 'ERROR_OPERATION_ALREADY_COMPLETED';

/**
 * The outcome of a withdrawal. `cancelled`: the payer cannot pay the request any more. `not_found`: the provider has no such
 * request. `already_paid`: the payer has paid it.
 */
export type WithdrawalAnswer = { readonly kind: 'cancelled' | 'not_found' | 'already_paid' } | Unavailable;

/** Sends requests for money to payers: the phase `REQUEST_MONEY`. */
export interface FundingProvider {
  request(request: FundingRequest, call: ProviderCall): Promise<ProviderAnswer<FundingCode>>;
  /**
   * Withdraws a request that may have reached its payer. `call` has the idempotency key of the request (decisions, section 8,
   * "A payer who may have been asked").
   */
  cancel(request: FundingRequest, call: ProviderCall): Promise<WithdrawalAnswer>;
}

/** The names of the providers. */
export type ProviderName = 'identity' | 'cards' | 'ubn' | 'funding';

/**
 * The external systems of the pipeline. The environment of each call decides who answers it (decisions, section 8,
 * "Providers"): a sandbox call is never answered by a provider of live calls, nor a live call by the sandbox.
 */
export interface Providers {
  readonly identity: IdentityProvider;
  readonly cards: CardProvider;
  readonly ubn: UbnProvider;
  readonly funding: FundingProvider;
  /** Fails with PROVIDER_NOT_CONFIGURED when a provider that calls in this environment need is not configured. */
  requireConfigured(environment: Environment, names: readonly ProviderName[]): Result<void>;
  /** Closes connections. */
  close(): Promise<void>;
}
