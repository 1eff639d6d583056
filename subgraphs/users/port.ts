import type { AccountId } from '../kernel/account.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Result } from '../kernel/errors/result.ts';
import type { ContactInput, ContactRecord } from './contact.ts';
import type { PaymentMethodInput, PaymentMethodRecord } from './payment-method.ts';
import type {
  AccountState,
  BlockState,
  CipState,
  CipStatus,
  Owner,
  Registration,
  UserProfile,
} from './user.ts';

/**
 * The functions for other slices. A function with a unit of work works inside the caller's transaction. A function that
 * creates a record throws a duplicate key error when another transaction creates the same record meanwhile. Then the caller's
 * transaction has ended; a new one (`retryOnConflict`) finds that record.
 */
export interface UsersPort {
  /**
   * The account's user with this reference; created from the profile when there is none. A user who is not blocked stays
   * unblocked until the transaction ends, as with {@link accountState}.
   */
  ensureByReference(input: EnsureUser, unit: UnitOfWork): Promise<AccountState>;
  /** Creates the user without a read, for a reference that nobody had a moment ago. */
  insertByReference(input: EnsureUser, unit: UnitOfWork): AccountState;
  /**
   * The account's user with this phone number; registered when there is none. An existing user does not change. Fails with
   * ERROR_REQUEST_MONEY_FULL for an email that another user has.
   */
  ensureRegistered(input: RegisterUser, unit: UnitOfWork): Promise<Result<AccountState>>;
  /** The account's user with this reference. */
  findByReference(accountId: AccountId, referenceId: string): Promise<AccountState | undefined>;
  /**
   * Whether a user is the tenant's own: document 1 has different answers for another tenant's user and for an unknown one.
   */
  locate(accountId: AccountId, userId: string): Promise<'own' | 'foreign' | 'unknown'>;
  /**
   * Whether a user is blocked; undefined when the account has no such user. With a unit of work the answer holds until the
   * transaction ends: a block at the same moment conflicts with it, so that what the transaction writes is committed
   * before the block or not at all. Transactions of one user conflict with each other too; the driver repeats them.
   */
  accountState(accountId: AccountId, userId: string, unit?: UnitOfWork): Promise<AccountState | undefined>;
  /** The block of a user whom the partner has blocked and not erased; undefined for all others. */
  blockOf(accountId: AccountId, userId: string): Promise<BlockState | undefined>;
  /**
   * Requires without a read that a user who was not blocked a moment ago is not blocked. Otherwise, or when the user is
   * missing, the transaction ends with {@link UserNotAllowedError}.
   */
  requireUnblocked(accountId: AccountId, userId: string, unit: UnitOfWork): void;
  /** Whether the partner has its own reference for a user, as for every user that it has created a link for. */
  hasReference(accountId: AccountId, userId: string, unit: UnitOfWork): Promise<boolean>;
  /** Records the state of an identity check; undefined when the account has no such user, or has erased it. */
  recordIdentityCheck(input: IdentityCheck, unit: UnitOfWork): Promise<RecordedCheck | undefined>;
  /** Records the state without a read; does nothing when the account has no such user, or has erased it. A `verified` stays. */
  saveIdentityCheck(input: Omit<IdentityCheck, 'overrides'>, unit: UnitOfWork): void;
  /** The account of a user; for calls of the platform's own back end, which name no tenant. */
  accountOf(userId: string): Promise<AccountId | undefined>;
  /** Adds missing fields to the user's profile; a name is added as a whole. */
  completeProfile(
    input: { accountId: AccountId; userId: string; profile: UserProfile; at: Date },
    unit: UnitOfWork,
  ): Promise<void>;
  /** The user's contact with this phone number, created or updated. */
  keepContact(input: KeepContact, unit: UnitOfWork): Promise<ContactRecord>;
  /** Finds a contact by phone number (E.164) or by email, whatever its case of letters. */
  findContact(
    user: { accountId: AccountId; userId: string },
    by: { phoneNumber: string } | { email: string },
  ): Promise<ContactRecord | undefined>;
  /** The digest that finds records of other slices by a phone number in E.164. */
  phoneKey(accountId: AccountId, phoneNumber: string): string;
  /** The digests of the phone numbers that a searched text may mean, in any spelling; none for a text that is no number. */
  phoneKeysOf(accountId: AccountId, text: string): Promise<string[]>;
  /** The contacts of all users with a phone number that a searched text may mean, newest first, at most `most`. */
  contactsByPhone(accountId: AccountId, text: string, most: number): Promise<PayerContact[]>;
  /** Counts a request for money to a contact, for the list of frequent contacts. */
  countRequest(input: Owner & { contactId: string; at: Date }, unit: UnitOfWork): void;
  /** Stores a payout method of a user; for the same card, account or cash country it returns the stored one. */
  keepPaymentMethod(input: KeepPaymentMethod, unit: UnitOfWork): Promise<PaymentMethodRecord>;
  /** The user's payout method. */
  findPaymentMethod(input: {
    accountId: AccountId;
    userId: string;
    paymentMethodId: string;
  }): Promise<PaymentMethodRecord | undefined>;
}

/** A contact, and the user who has it. */
export type PayerContact = Pick<ContactRecord, 'contactId' | 'userId'>;

/** Thrown when a user may not transact; `accountState` says why. */
export class UserNotAllowedError extends Error {
  override readonly name = 'UserNotAllowedError';
}

export interface EnsureUser {
  accountId: AccountId;
  referenceId: string;
  profile: UserProfile;
}

export interface RegisterUser {
  accountId: AccountId;
  registration: Registration;
  at: Date;
}

export interface IdentityCheck {
  accountId: AccountId;
  userId: string;
  status: CipStatus;
  /** The checker, such as `sandbox`. */
  provider?: string;
  /** The checker's report beside the status. */
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
  accountId: AccountId;
  userId: string;
  contact: ContactInput;
  at: Date;
}

export interface KeepPaymentMethod {
  accountId: AccountId;
  userId: string;
  method: PaymentMethodInput;
  at: Date;
}
