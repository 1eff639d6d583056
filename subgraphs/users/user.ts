import type { AccountId } from '../kernel/account.ts';

/** State of a user's identity check (document 3, "User"). */
export const CIP_STATUSES = ['pending', 'verified', 'failed'] as const;
export type CipStatus = (typeof CIP_STATUSES)[number];

/** Values of RegisterUserParams (document 1). */
export const GENDERS = ['Male', 'Female', 'Other', 'None'] as const;
export type Gender = (typeof GENDERS)[number];
export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A user to register, checked: RegisterUserParams of document 1. */
export interface Registration {
  /** E.164 */
  phoneNumber: string;
  firstName: string;
  lastName: string;
  lastName2?: string;
  middleName?: string;
  gender?: Gender;
  /** YYYY-MM-DD */
  dob?: string;
  email?: string;
  address1: string;
  address2?: string;
  address3?: string;
  streetNumber?: string;
  zipCode?: string;
  /** ISO 3166-1 alpha-2 */
  countryCode: string;
  city: string;
  state: string;
  birthState?: string;
  lang?: Language;
  /** JSON of a maps provider, as it was sent. */
  placeDetail?: string;
  latitude?: number;
  longitude?: number;
  callLocationLatitude?: number;
  callLocationLongitude?: number;
}

type RenamedFields = 'firstName' | 'lastName' | 'middleName' | 'lastName2' | 'countryCode';

/**
 * Personal data of a user; stored only sealed. Users of document 2 have names, birth date and country; registered users have
 * everything that they registered with.
 */
export interface UserProfile extends Partial<Omit<Registration, RenamedFields>> {
  /** Absent while only the partner's id of the user is known. */
  firstName?: string;
  secondName?: string;
  lastName?: string;
  secondLastName?: string;
  /** ISO 3166-1 alpha-2 */
  country?: string;
}

/** The identity check of a user (document 3, "Link", `user`). */
export interface CipState {
  cipStatus: CipStatus;
  /** The last checker. */
  cipProvider?: string;
  /** When the identity was verified. */
  cipVerifiedAt?: Date;
  /** The checker's report beside the status. */
  cipResult?: Readonly<Record<string, unknown>>;
}

/** Kinds of callers that block users. */
export const BLOCKER_KINDS = ['API_KEY', 'CONSOLE_SESSION', 'OPERATOR'] as const;

/** The caller that blocked a user, as the partner knew it at that time. */
export interface Blocker {
  kind: (typeof BLOCKER_KINDS)[number];
  /** The keyId, or the sessionId of a console session; absent for an operator of the platform. */
  id?: string;
  /** The label of the key, or its first characters without one; the label of the session. Absent when there is none. */
  name?: string;
}

/** Whether a user is blocked, since when, why and by whom (document 3, "Block result"). */
export interface BlockState {
  blocked: boolean;
  blockedAt?: Date;
  blockedReason?: string;
  blockedBy?: Blocker;
}

/** The erasure of a user's personal data: when and why it was requested, and when it was done. */
export interface ErasureState {
  erasureRequestedAt?: Date;
  erasureReason?: string;
  /** When nothing was left. */
  erasedAt?: Date;
}

/** A partner's end user, with unsealed personal data. */
export interface UserRecord extends CipState, BlockState, ErasureState {
  userId: string;
  accountId: AccountId;
  /** The partner's own id of the user. */
  referenceId?: string;
  profile: UserProfile;
  /** Counts the changes that are in the event log; absent before the first. */
  version?: number;
  createdAt: Date;
  updatedAt: Date;
}

/** A user's id, and whether the user is blocked. An erased user is blocked for ever. */
export type AccountState = Pick<UserRecord, 'userId' | 'blocked'> & { readonly isErased?: boolean };

/** Why a user may have nothing new; undefined if the user may. */
export function refusalOf({
  blocked,
  isErased,
}: Pick<AccountState, 'blocked' | 'isErased'>): 'USER_ERASED' | 'USER_BLOCKED' | undefined {
  if (isErased) {
    return 'USER_ERASED';
  }
  return blocked ? 'USER_BLOCKED' : undefined;
}

/** `user.status` of document 3, and `erased` when nothing of the user's data is left. */
export function statusOf({
  blocked,
  erasedAt,
}: Pick<UserRecord, 'blocked' | 'erasedAt'>): 'active' | 'blocked' | 'erased' {
  if (erasedAt) {
    return 'erased';
  }
  return blocked ? 'blocked' : 'active';
}

/** The key of a person: one of the two. */
export type PersonKey = { phoneNumber: string } | { email: string };

/** The owner of contacts or payout methods. */
export interface Owner {
  readonly accountId: AccountId;
  readonly userId: string;
}
