import { z } from 'zod';
import {
  isWellFormed,
  object,
  rejectLosslessNumber,
  requiredOr,
  string,
  text,
} from '../../platform/json/schemas.ts';
import { isDate } from '../../platform/person/checks.ts';
import { type IdImage, idImage } from './id-image.ts';
import { type JsonObject, jsonObject } from './json-object.ts';

const LONGEST_ID_TYPE = 64;

/** What a partner may tell of a user (document 3, "Link"), and what may be asked for. */
export const USER_DATA_FIELDS = ['name', 'idType', 'idNumber', 'dob', 'paymentMethod', 'idImage'] as const;
export type UserDataField = (typeof USER_DATA_FIELDS)[number];

/** What an identity check needs (decisions, section 4, readiness). */
const CHECKED_FIELDS = ['name', 'idType', 'idNumber', 'dob'] as const;

const idType = string()
  .pipe(
    z
      .string()
      .min(1, 'must not be empty')
      .max(LONGEST_ID_TYPE, `must have at most ${LONGEST_ID_TYPE} characters`)
      .refine(isWellFormed, 'must be well-formed Unicode'),
  )
  .meta({ minLength: 1, maxLength: LONGEST_ID_TYPE, description: 'Such as `passport`.' });

const personName = object({
  firstName: text,
  secondName: text.optional(),
  lastName: text,
  secondLastName: text.optional(),
});

/** `userData` of a REST body. What it does not know, it ignores. */
export const userDataSchema = rejectLosslessNumber(
  z.object(
    {
      name: rejectLosslessNumber(personName).optional(),
      idType: idType.optional(),
      idNumber: text.optional(),
      dob: string().refine(isDate, 'must be a real date as YYYY-MM-DD').meta({ format: 'date' }).optional(),
      paymentMethod: jsonObject.optional(),
      idImage: idImage.optional(),
    },
    { error: requiredOr('must be an object') },
  ),
);

export interface PersonName {
  firstName: string;
  secondName?: string;
  lastName: string;
  secondLastName?: string;
}

/** What a link knows of its user; at rest only sealed. The image is kept apart. */
export interface UserData {
  name?: PersonName;
  idType?: string;
  idNumber?: string;
  /** YYYY-MM-DD */
  dob?: string;
  paymentMethod?: JsonObject;
}

/** User data as it came in. */
export interface GivenUserData {
  readonly data: UserData;
  readonly image?: IdImage;
}

/** Takes the image apart from the rest, and leaves out what was not given. */
export function toGiven({ idImage: image, ...rest }: z.output<typeof userDataSchema>): GivenUserData {
  const data = Object.fromEntries(
    Object.entries(rest)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [field, field === 'name' ? present(value as object) : value]),
  ) as UserData;
  return image === undefined ? { data } : { data, image };
}

/** What an identity check still needs; empty when there is enough. */
export function missingFields(data: UserData): string[] {
  return CHECKED_FIELDS.filter((field) => data[field] === undefined);
}

/** The part of user data that a user's profile holds too. */
export function toProfile({ name, dob }: UserData): PersonProfile {
  return { ...name, ...(dob === undefined ? {} : { dob }) };
}

/** A profile of the users slice, as far as links know people. */
export type PersonProfile = Partial<PersonName> & { dob?: string };

function present(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}
