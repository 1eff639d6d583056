import { describe, expect, test } from '@jest/globals';
import { parse } from 'lossless-json';
import { FRIEND } from '../testing.ts';
import { readContact } from './contact.ts';

const served = { dialCodes: ['+52', '+1'] };
const read = (changes: Record<string, unknown> = {}) =>
  readContact(parse(JSON.stringify({ ...FRIEND, ...changes })), served);
const codesOf = (result: ReturnType<typeof read>) =>
  result.ok ? [] : result.failures.map(({ code }) => code);

test('is normalised: the phone number in E.164', () => {
  expect(read({ phoneNumber: '(312) 555-0188' })).toEqual({ ok: true, value: FRIEND });
  const { email, ...rest } = FRIEND;
  expect(read({ email: undefined })).toEqual({ ok: true, value: rest });
});

test('a fixed line will do', () => {
  expect(codesOf(readContact({ ...FRIEND, phoneNumber: '+34912345678' }, { dialCodes: ['+34'] }))).toEqual(
    [],
  );
});

test.each([
  ['an unknown property', { nickname: 'L' }, 'ERROR_REQUEST_MONEY_FULL'],
  ['an invalid email', { email: 'luis' }, 'ERROR_REQUEST_MONEY_FULL'],
  ['an email as null', { email: null }, 'ERROR_REQUEST_MONEY_FULL'],
  ['no country', { countryCode: undefined }, 'ERROR_INVALID_COUNTRY_CODE'],
  ['an unknown country', { countryCode: 'XX' }, 'ERROR_INVALID_COUNTRY_CODE'],
  ['another dial code', { phoneNumber: '+34612345678' }, 'ERROR_PHONE_NUMBER_NOT_SUPPORTED'],
  ['no first name', { firstName: undefined }, 'INVALID_NAME'],
  ['a digit in the last name', { lastName: 'Ortega 2' }, 'INVALID_NAME'],
  ['no phone', { phoneNumber: undefined }, 'INVALID_PHONE_NUMBER'],
  ['a phone as a number', { phoneNumber: 13_125_550_188 }, 'INVALID_PHONE_NUMBER'],
  ['an invalid phone', { phoneNumber: '+1555' }, 'INVALID_PHONE_NUMBER'],
])('%s fails', (_what, changes, code) => {
  expect(codesOf(read(changes))).toEqual([code]);
});

describe('the first failing check wins', () => {
  const all = { countryCode: 'XX', phoneNumber: '+34612345678', firstName: '' };

  test.each([
    [all, 'ERROR_INVALID_COUNTRY_CODE'],
    [{ ...all, countryCode: 'US' }, 'ERROR_PHONE_NUMBER_NOT_SUPPORTED'],
    [{ ...all, countryCode: 'US', phoneNumber: '+1555' }, 'INVALID_NAME'],
  ])('%j: %s', (changes, code) => {
    expect(codesOf(read(changes))).toEqual([code]);
  });

  test.each(['null', '[]', '7'])('%s instead of an object', (body) => {
    expect(codesOf(readContact(parse(body), served))).toEqual(['ERROR_REQUEST_MONEY_FULL']);
  });
});
