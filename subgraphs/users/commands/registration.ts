import { isLosslessNumber, type LosslessNumber } from 'lossless-json';
import { z } from 'zod';
import type { ErrorCode } from '../../kernel/errors/catalogue.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { checkedLater, email, strictObject } from '../../kernel/json/fields.ts';
import { optionalText, rejectLosslessNumber, string, text } from '../../kernel/json/schemas.ts';
import { isCountry } from '../../kernel/money/iso.ts';
import { withoutUndefined } from '../../kernel/objects.ts';
import { isAdult, isStateOf, readDate } from '../../kernel/person/checks.ts';
import { isLegalName } from '../../kernel/person/name.ts';
import { type Phone, readPhone } from '../../kernel/person/phone.ts';
import { findTextIssue } from '../../kernel/text.ts';
import { GENDERS, LANGUAGES, type Registration } from '../user.ts';
import { readShape } from './shape.ts';

/** Most values: a place of a maps provider, with its photos and reviews, has some ten thousand. */
const LONGEST_PLACE = 65_536;
const degrees = (bound: number) =>
  z
    .custom<LosslessNumber>(isLosslessNumber, 'must be a number')
    .transform((value) => Number(value.toString()))
    .pipe(z.number().min(-bound, `must be at least -${bound}`).max(bound, `must be at most ${bound}`))
    .meta({ type: 'number', minimum: -bound, maximum: bound });

const oneOf = <Value extends string>(values: readonly Value[]) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

/**
 * RegisterUserParams, without checks that have codes of their own: what is missing, mistyped or unknown. Numbers are
 * LosslessNumbers.
 */
export const registrationShape = rejectLosslessNumber(
  strictObject({
    phoneNumber: checkedLater('Mobile number, E.164 or the national form of countryCode.'),
    firstName: checkedLater('Legal first names, 1 to 100 characters without digits.'),
    lastName: checkedLater('Primary legal last name, 1 to 100 characters without digits.'),
    lastName2: checkedLater('Second last name.').optional(),
    middleName: checkedLater('Middle name.').optional(),
    gender: oneOf(GENDERS).optional(),
    dob: checkedLater('YYYY-MM-DD or an ISO 8601 date-time; 18 to 99 years of age.').optional(),
    email: email.optional(),
    address1: text.describe('Street and number of the legal address.'),
    address2: optionalText,
    address3: optionalText,
    streetNumber: optionalText,
    zipCode: optionalText,
    countryCode: checkedLater('ISO 3166-1 alpha-2.'),
    city: text,
    state: text.describe('ISO 3166-2 code, or the short name of the state.'),
    birthState: optionalText,
    lang: oneOf(LANGUAGES).optional(),
    placeDetail: string()
      // Nothing longer is parsed.
      .max(LONGEST_PLACE, { error: `must have at most ${LONGEST_PLACE} characters`, abort: true })
      .refine(
        (value) => isJsonObject(value) && findTextIssue(value) === undefined,
        'must be the JSON of a place',
      )
      .describe('Place details of a maps provider, as JSON.')
      .optional(),
    latitude: degrees(90).optional(),
    longitude: degrees(180).optional(),
    callLocationLatitude: degrees(90).optional(),
    callLocationLongitude: degrees(180).optional(),
  }).refine(hasItsState, { path: ['state'], message: 'is not an ISO 3166-2 code of countryCode' }),
);

type RawRegistration = z.output<typeof registrationShape>;

/** The names of a registration, in the order in which they are checked. */
export const REQUESTER_NAMES = ['firstName', 'lastName', 'lastName2', 'middleName'] as const;
type RequesterName = (typeof REQUESTER_NAMES)[number];

type Check = (raw: RawRegistration, now: Date) => ErrorCode | undefined;

/** Whether a name of a registration is not one: INVALID_NAME. The second last name and the middle name may be absent. */
export function requesterNameIssue(raw: RawRegistration, field: RequesterName): 'INVALID_NAME' | undefined {
  const isOptional = field === 'lastName2' || field === 'middleName';
  return (isOptional && raw[field] === undefined) || isLegalName(raw[field]) ? undefined : 'INVALID_NAME';
}

/** The checks of a registration that have codes of their own. Callers run each at its place among others. */
export const registrationChecks: Readonly<Record<'country' | 'birthDate' | 'phone', Check>> = {
  country: ({ countryCode }) =>
    typeof countryCode === 'string' && isCountry(countryCode) ? undefined : 'ERROR_INVALID_COUNTRY_CODE',
  birthDate: ({ dob }, now) => {
    const date = readDate(dob);
    return dob === undefined || (date !== undefined && isAdult(date, now))
      ? undefined
      : 'ERROR_INVALID_DATE_OF_BIRTH';
  },
  phone: (raw) => (mobileOf(raw) ? undefined : 'INVALID_PHONE_NUMBER'),
};

/**
 * Checks a registration by itself (decisions, section 2, `registerUserV2`), in the order of the atomic call.
 * Fails with ERROR_REQUEST_MONEY_FULL, ERROR_INVALID_COUNTRY_CODE, ERROR_COUNTRY_NOT_SUPPORTED, INVALID_NAME,
 * ERROR_INVALID_DATE_OF_BIRTH, INVALID_PHONE_NUMBER.
 * @param countries those that the tenant serves
 */
export function readRegistration(
  value: unknown,
  { countries, now }: { countries: readonly string[]; now: Date },
): Result<Registration> {
  const read = readShape(registrationShape, value);
  if (!read.ok) {
    return read;
  }
  const raw = read.value;
  const { country, birthDate, phone } = registrationChecks;
  const served: Check = ({ countryCode }) =>
    countries.includes(String(countryCode)) ? undefined : 'ERROR_COUNTRY_NOT_SUPPORTED';
  const names = REQUESTER_NAMES.map((field): [string, Check] => [
    field,
    () => requesterNameIssue(raw, field),
  ]);
  const checks: readonly (readonly [string, Check])[] = [
    ['countryCode', country],
    ['countryCode', served],
    ...names,
    ['dob', birthDate],
    ['phoneNumber', phone],
  ];
  for (const [field, check] of checks) {
    const code = check(raw, now);
    if (code !== undefined) {
      return fail(code, undefined, [field]);
    }
  }
  return succeed(toRegistration(raw));
}

/** The checked registration, normalised. @throws TypeError for a body that does not pass {@link registrationChecks} */
export function toRegistration(raw: RawRegistration): Registration {
  const phone = mobileOf(raw);
  if (!phone) {
    throw new TypeError('A registration is checked before it is read');
  }
  const { phoneNumber: _, dob, ...rest } = raw;
  const date = readDate(dob);
  return {
    // The cast: the shape and the checks have made sure of it.
    ...(withoutUndefined(rest) as Omit<Registration, 'phoneNumber'>),
    phoneNumber: phone.e164,
    ...(date && { dob: date }),
  };
}

function mobileOf({ phoneNumber, countryCode }: RawRegistration): Phone | undefined {
  const phone = typeof phoneNumber === 'string' ? readPhone(phoneNumber, String(countryCode)) : undefined;
  return phone?.isMobile ? phone : undefined;
}

function hasItsState({ state, countryCode }: { state: string; countryCode?: unknown }): boolean {
  return typeof countryCode !== 'string' || !isCountry(countryCode) || isStateOf(state, countryCode);
}

function isJsonObject(source: string): boolean {
  try {
    const value: unknown = JSON.parse(source);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
