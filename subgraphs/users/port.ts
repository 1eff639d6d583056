import type { ClientSession } from 'mongoose';
import type { Result } from '../platform/errors/result.ts';
import type { AccountDetails, CardDetails } from '../platform/providers/types.ts';
import type { Registration } from './commands/registration.ts';
import type { CipStatus, UserProfile } from './store/model.ts';

/**
 * What other slices may ask of users; what takes a session is done inside their own transaction. Whatever makes a record
 * throws a duplicate key error when another transaction makes it meanwhile: the caller's is over then, and one that is
 * begun anew (`retryOnConflict`) finds that record.
 */
export interface UsersPort {
  /**
   * The tenant's user with this reference, made from the profile when there is none. A user who is not blocked stays so
   * until the transaction ends, as with {@link accountState}.
   */
  ensureByReference(input: EnsureUser, session: ClientSession): Promise<AccountState>;
  /**
   * The tenant's user with this phone number, registered when there is none; one that is there stays as it is.
   * Refusal: ERROR_REQUEST_MONEY_FULL for an email that another user has.
   */
  ensureRegistered(input: RegisterUser, session: ClientSession): Promise<Result<AccountState>>;
  /** The tenant's user with this reference. */
  findByReference(tenantId: string, referenceId: string): Promise<AccountState | undefined>;
  /** Whose a user is: document 1 tells another tenant's from an unknown one. */
  locate(tenantId: string, userId: string): Promise<'own' | 'foreign' | 'unknown'>;
  /**
   * Whether a user is blocked; undefined when the tenant has no such user. With a session the answer holds until the
   * transaction ends: a block at the same moment conflicts with it, so that what the transaction writes is committed
   * before the block or not at all. Transactions of one user conflict with each other too; the driver repeats them.
   */
  accountState(tenantId: string, userId: string, session?: ClientSession): Promise<AccountState | undefined>;
  /** Records how an identity check stands; undefined when the tenant has no such user. */
  recordIdentityCheck(input: IdentityCheck, session: ClientSession): Promise<RecordedCheck | undefined>;
  /** The tenant that a user belongs to; for calls of the platform's own back end, which name no tenant. */
  tenantOf(userId: string): Promise<string | undefined>;
  /** Adds to the user's profile what it does not have yet; a name is added as a whole. */
  completeProfile(
    input: { tenantId: string; userId: string; profile: UserProfile; at: Date },
    session: ClientSession,
  ): Promise<void>;
  /** The user's contact with this phone number: made, or brought up to date. */
  keepContact(input: KeepContact, session: ClientSession): Promise<ContactRecord>;
  /** By phone number (E.164) or by email, letter case aside. */
  findContact(
    user: { tenantId: string; userId: string },
    by: { phoneNumber: string } | { email: string },
  ): Promise<ContactRecord | undefined>;
  /** Counts a request for money to a contact: what "frequent" goes by. */
  countRequest(
    input: { tenantId: string; contactId: string; at: Date },
    session: ClientSession,
  ): Promise<void>;
  /** Keeps a payout method of a user; the same card, account or cash country again is the one that is there. */
  keepPaymentMethod(input: KeepPaymentMethod, session: ClientSession): Promise<PaymentMethodRecord>;
  findPaymentMethod(input: {
    tenantId: string;
    userId: string;
    paymentMethodId: string;
  }): Promise<PaymentMethodRecord | undefined>;
}

export interface EnsureUser {
  tenantId: string;
  referenceId: string;
  profile: UserProfile;
}

/** A user as far as others go by it. */
export interface AccountState {
  userId: string;
  blocked: boolean;
}

export interface RegisterUser {
  tenantId: string;
  registration: Registration;
  at: Date;
}

export interface IdentityCheck {
  tenantId: string;
  userId: string;
  status: CipStatus;
  /** Who checked, such as `sandbox`. */
  provider?: string;
  /** What the checker told beside the status. */
  result?: Readonly<Record<string, unknown>>;
  /** Whether it takes back a `verified`: so does the word of the platform's own back end, and no other. */
  overrides?: boolean;
  at: Date;
}

/** How the identity check of a user stands (document 3, "Link", `user`). */
export interface CipState {
  cipStatus: CipStatus;
  cipProvider?: string;
  cipVerifiedAt?: Date;
  cipResult?: Readonly<Record<string, unknown>>;
}

export interface RecordedCheck {
  before: CipStatus;
  /** How it stands since. */
  state: CipState;
}

/** A person that a user asks for money: RequestToParams of document 1, the phone number in E.164. */
export interface ContactInput {
  phoneNumber: string;
  firstName?: string;
  lastName?: string;
  email?: string;
  /** ISO 3166-1 alpha-2 */
  countryCode?: string;
}

export interface KeepContact {
  tenantId: string;
  userId: string;
  contact: ContactInput;
  at: Date;
}

export interface ContactRecord extends ContactInput {
  contactId: string;
  userId: string;
  /** Requests for money to this contact. */
  requests: number;
  lastRequestedAt?: Date;
  createdAt: Date;
}

/** Types of a payout method (decisions, section 2). */
export const PAYMENT_METHOD_TYPES = ['DebitCard', 'CreditCard', 'UBN', 'CashPickup'] as const;
export type PaymentMethodType = (typeof PAYMENT_METHOD_TYPES)[number];

/** A payout method in clear: on its way in, and for the providers; never stored like this. */
export type PaymentMethodInput =
  | ({ type: 'DebitCard' | 'CreditCard' } & CardDetails)
  | ({ type: 'UBN' } & AccountDetails)
  | { type: 'CashPickup'; country: string; currency: string };

export interface KeepPaymentMethod {
  tenantId: string;
  userId: string;
  method: PaymentMethodInput;
  at: Date;
}

/** A payout method as it is shown: of a card the token, of an account the number, of cash none. */
export interface PaymentMethodRecord {
  paymentMethodId: string;
  userId: string;
  type: PaymentMethodType;
  country: string;
  currency: string;
  number?: string;
  isPrimary: boolean;
  createdAt: Date;
}
