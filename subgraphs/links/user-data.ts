export { USER_DATA_FIELDS, type UserDataField } from '../webhook-events/values.ts';

/** The data that an identity check needs (decisions, section 4, readiness). */
const CHECKED_FIELDS = ['name', 'idType', 'idNumber', 'dob'] as const;

/** A JSON object whose shape is the partner's own. */
export type JsonObject = Readonly<Record<string, unknown>>;

interface PersonName {
  firstName: string;
  secondName?: string;
  lastName: string;
  secondLastName?: string;
}

/** The link's data about its user; at rest only sealed. The picture of the document is kept apart. */
export interface UserData {
  name?: PersonName;
  idType?: string;
  idNumber?: string;
  /** YYYY-MM-DD */
  dob?: string;
  paymentMethod?: JsonObject;
}

/** A picture of an identity document, in clear. */
export interface IdImage {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** User data as a call gives it. */
export interface GivenUserData {
  readonly data: UserData;
  readonly image?: IdImage;
}

/** A profile of the users slice, as far as links know people. */
type PersonProfile = Partial<PersonName> & { dob?: string };

/** The data that an identity check still needs; empty when there is enough. */
export function missingFields(data: UserData): string[] {
  return CHECKED_FIELDS.filter((field) => data[field] === undefined);
}

/** The part of user data that a user's profile holds too. */
export function toProfile({ name, dob }: UserData): PersonProfile {
  return { ...name, ...(dob === undefined ? {} : { dob }) };
}
