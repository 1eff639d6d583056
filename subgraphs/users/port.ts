import type { UnitOfWork } from '../platform/database/unit-of-work.ts';
import type { Result } from '../platform/errors/result.ts';
import type { ContactInput, ContactRecord } from './contact.ts';
import type { PaymentMethodInput, PaymentMethodRecord } from './payment-method.ts';
import type { AccountState, CipState, CipStatus, Registration, UserProfile } from './user.ts';

/**
 * What other slices use of users. A function with a unit of work works inside the caller's transaction. A function that makes a
 * record throws a duplicate key error when another transaction makes the same record meanwhile. The caller's transaction
 * is over then; a new one (`retryOnConflict`) finds that record.
 */
export interface UsersPort {
  /**
   * The tenant's user with this reference, made from the profile when there is none. A user who is not blocked stays
   * unblocked until the transaction ends, as with {@link accountState}.
   */
  ensureByReference(input: EnsureUser, unit: UnitOfWork): Promise<AccountState>;
  /** Makes the user without a look: for a reference that nobody had a moment ago. */
  insertByReference(input: EnsureUser, unit: UnitOfWork): AccountState;
  /**
   * The tenant's user with this phone number, registered when there is none; one that is there stays as it is.
   * Fails with ERROR_REQUEST_MONEY_FULL for an email that another user has.
   */
  ensureRegistered(input: RegisterUser, unit: UnitOfWork): Promise<Result<AccountState>>;
  /** The tenant's user with this reference. */
  findByReference(tenantId: string, referenceId: string): Promise<AccountState | undefined>;
  /** Whether a user is the tenant's own: document 1 has different answers for another tenant's and for an unknown one. */
  locate(tenantId: string, userId: string): Promise<'own' | 'foreign' | 'unknown'>;
  /**
   * Whether a user is blocked; undefined when the tenant has no such user. With a unit of work the answer holds until the
   * transaction ends: a block at the same moment conflicts with it, so that what the transaction writes is committed
   * before the block or not at all. Transactions of one user conflict with each other too; the driver repeats them.
   */
  accountState(tenantId: string, userId: string, unit?: UnitOfWork): Promise<AccountState | undefined>;
  /**
   * The same, without a look, for a user who was not blocked a moment ago.
   * The transaction ends with {@link UserNotAllowedError} when the user is blocked or is not there.
   */
  requireUnblocked(tenantId: string, userId: string, unit: UnitOfWork): void;
  /** Whether the partner knows a user by its own reference, as it knows every user that it has created a link for. */
  hasReference(tenantId: string, userId: string, unit: UnitOfWork): Promise<boolean>;
  /** Records the state of an identity check; undefined when the tenant has no such user. */
  recordIdentityCheck(input: IdentityCheck, unit: UnitOfWork): Promise<RecordedCheck | undefined>;
  /** The same without a look at the user, and nothing where the tenant has no such user. A `verified` stays. */
  saveIdentityCheck(input: Omit<IdentityCheck, 'overrides'>, unit: UnitOfWork): void;
  /** The tenant that a user belongs to; for calls of the platform's own back end, which name no tenant. */
  tenantOf(userId: string): Promise<string | undefined>;
  /** Adds to the user's profile what it does not have yet; a name is added as a whole. */
  completeProfile(
    input: { tenantId: string; userId: string; profile: UserProfile; at: Date },
    unit: UnitOfWork,
  ): Promise<void>;
  /** The user's contact with this phone number: made, or brought up to date. */
  keepContact(input: KeepContact, unit: UnitOfWork): Promise<ContactRecord>;
  /** By phone number (E.164) or by email, letter case aside. */
  findContact(
    user: { tenantId: string; userId: string },
    by: { phoneNumber: string } | { email: string },
  ): Promise<ContactRecord | undefined>;
  /** Counts a request for money to a contact: what "frequent" goes by. */
  countRequest(input: { tenantId: string; contactId: string; at: Date }, unit: UnitOfWork): void;
  /** Keeps a payout method of a user; the same card, account or cash country again is the one that is there. */
  keepPaymentMethod(input: KeepPaymentMethod, unit: UnitOfWork): Promise<PaymentMethodRecord>;
  findPaymentMethod(input: {
    tenantId: string;
    userId: string;
    paymentMethodId: string;
  }): Promise<PaymentMethodRecord | undefined>;
}

/** A user may not transact; `accountState` tells why. */
export class UserNotAllowedError extends Error {
  override readonly name = 'UserNotAllowedError';
}

export interface EnsureUser {
  tenantId: string;
  referenceId: string;
  profile: UserProfile;
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
  /** What the checker reported beside the status. */
  result?: Readonly<Record<string, unknown>>;
  /** Whether it may take back `verified`: only the platform's own back end may. */
  overrides?: boolean;
  at: Date;
}

export interface RecordedCheck {
  before: CipStatus;
  /** The state after it. */
  state: CipState;
}

export interface KeepContact {
  tenantId: string;
  userId: string;
  contact: ContactInput;
  at: Date;
}

export interface KeepPaymentMethod {
  tenantId: string;
  userId: string;
  method: PaymentMethodInput;
  at: Date;
}
