import type { z } from 'zod';
import type { ErrorCode } from '../../kernel/errors/catalogue.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { checkedLater, email, strictObject } from '../../kernel/json/fields.ts';
import { rejectLosslessNumber } from '../../kernel/json/schemas.ts';
import { isCountry } from '../../kernel/money/iso.ts';
import { isLegalName } from '../../kernel/person/name.ts';
import { type Phone, readDialCode, readPhone } from '../../kernel/person/phone.ts';
import type { ContactInput } from '../contact.ts';
import { readShape } from './shape.ts';

/** RequestToParams (document 1), without checks that have codes of their own. */
export const contactShape = rejectLosslessNumber(
  strictObject({
    phoneNumber: checkedLater('Phone number, E.164 or the national form of countryCode.'),
    firstName: checkedLater('First names, 1 to 100 characters without digits.'),
    lastName: checkedLater('Last name, 1 to 100 characters without digits.'),
    email: email.optional(),
    countryCode: checkedLater('ISO 3166-1 alpha-2.'),
  }),
);

type RawContact = z.output<typeof contactShape>;

/** The tenant's settings that the checks use: payers may live in any country, but need a phone that the tenant serves. */
interface Served {
  /** With their plus signs, such as `+52`. */
  readonly dialCodes: readonly string[];
}

type Check = (raw: RawContact, served: Served) => ErrorCode | undefined;

/** The checks of a contact that have codes of their own. Callers run each at its place among others. */
export const contactChecks: Readonly<
  Record<'country' | 'dialCode' | 'firstName' | 'lastName' | 'phone', Check>
> = {
  country: ({ countryCode }) =>
    typeof countryCode === 'string' && isCountry(countryCode) ? undefined : 'ERROR_INVALID_COUNTRY_CODE',
  // A number without a visible dial code is not valid; the check of the phone reports it later.
  dialCode: ({ phoneNumber, countryCode }, { dialCodes }) => {
    const code = typeof phoneNumber === 'string' ? readDialCode(phoneNumber, String(countryCode)) : undefined;
    return code === undefined || dialCodes.includes(code) ? undefined : 'ERROR_PHONE_NUMBER_NOT_SUPPORTED';
  },
  firstName: ({ firstName }) => (isLegalName(firstName) ? undefined : 'INVALID_NAME'),
  lastName: ({ lastName }) => (isLegalName(lastName) ? undefined : 'INVALID_NAME'),
  phone: (raw) => (phoneOf(raw) ? undefined : 'INVALID_PHONE_NUMBER'),
};

/**
 * Checks a contact by itself (`createContact`), in the order of the atomic call. Fails with ERROR_REQUEST_MONEY_FULL and
 * the codes of {@link contactChecks}.
 */
export function readContact(value: unknown, served: Served): Result<ContactInput> {
  const read = readShape(contactShape, value);
  if (!read.ok) {
    return read;
  }
  const { country, dialCode, firstName, lastName, phone } = contactChecks;
  const checks: readonly (readonly [string, Check])[] = [
    ['countryCode', country],
    ['phoneNumber', dialCode],
    ['firstName', firstName],
    ['lastName', lastName],
    ['phoneNumber', phone],
  ];
  for (const [field, check] of checks) {
    const code = check(read.value, served);
    if (code !== undefined) {
      return fail(code, undefined, [field]);
    }
  }
  return succeed(toContact(read.value));
}

/** The checked contact, the phone number in E.164. @throws TypeError for a body that does not pass {@link contactChecks} */
export function toContact(raw: RawContact): ContactInput {
  const { firstName, lastName, countryCode, email: address } = raw;
  const phone = phoneOf(raw);
  if (!phone || !isLegalName(firstName) || !isLegalName(lastName) || typeof countryCode !== 'string') {
    throw new TypeError('A contact is checked before it is read');
  }
  return {
    phoneNumber: phone.e164,
    firstName,
    lastName,
    countryCode,
    ...(address === undefined ? {} : { email: address }),
  };
}

function phoneOf({ phoneNumber, countryCode }: RawContact): Phone | undefined {
  return typeof phoneNumber === 'string' ? readPhone(phoneNumber, String(countryCode)) : undefined;
}
