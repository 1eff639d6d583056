import { describe, expect, test } from '@jest/globals';
import { parse } from 'lossless-json';
import { jsonOf, START } from '../testing.ts';
import { readRegistration } from './registration.ts';

const served = { countries: ['MX', 'US'], now: START };
const read = (changes: Record<string, unknown> = {}) => readRegistration(jsonOf(changes), served);
const codesOf = (result: ReturnType<typeof read>) =>
  result.ok ? [] : result.failures.map(({ code }) => code);

describe('a registration that is in order', () => {
  test('is normalised: the phone number in E.164, the birth date alone, coordinates as numbers', () => {
    const registered = read({
      phoneNumber: '55 1234 5678',
      dob: '1990-02-28T10:00:00-06:00',
      latitude: 19.4326,
      longitude: -99.1332,
      gender: 'Female',
      lang: 'es',
      placeDetail: '{"place_id":"x"}',
    });
    expect(registered).toEqual({
      ok: true,
      value: {
        phoneNumber: '+525512345678',
        firstName: 'Ana',
        lastName: 'Ruiz',
        email: 'Ana.Ruiz@example.com',
        dob: '1990-02-28',
        address1: 'Avenida Juarez 50',
        countryCode: 'MX',
        city: 'Ciudad de Mexico',
        state: 'MX-CMX',
        latitude: 19.4326,
        longitude: -99.1332,
        gender: 'Female',
        lang: 'es',
        placeDetail: '{"place_id":"x"}',
      },
    });
  });

  test('has only the given fields', () => {
    const registered = read({ email: undefined, dob: undefined });
    expect(registered.ok && Object.keys(registered.value).sort()).toEqual([
      'address1',
      'city',
      'countryCode',
      'firstName',
      'lastName',
      'phoneNumber',
      'state',
    ]);
  });

  test.each([
    ['18 to the day', { dob: '2008-11-21' }],
    ['99, 100 tomorrow', { dob: '1926-11-22' }],
    ['the poles', { latitude: 90, callLocationLatitude: -90 }],
    ['the date line', { longitude: 180, callLocationLongitude: -180 }],
    ['a state by its short name', { state: 'CDMX' }],
    ['a state of birth of another country', { birthState: 'US-CA' }],
    ['all names', { middleName: 'María', lastName2: "O'Neil" }],
    ['every gender', { gender: 'None' }],
    ['255 characters of address', { address1: 'a'.repeat(255) }],
  ])('%s', (_what, changes) => {
    expect(codesOf(read(changes))).toEqual([]);
  });
});

describe('an issue of shape is ERROR_REQUEST_MONEY_FULL', () => {
  test.each([
    ['an unknown property', { nickname: 'Anita' }, undefined, 'The body has unknown properties: nickname'],
    ['no address', { address1: undefined }, ['address1'], 'address1 is required'],
    ['an empty address', { address1: '' }, ['address1'], 'address1 must not be empty'],
    ['256 characters', { city: 'a'.repeat(256) }, ['city'], 'city must have at most 255 characters'],
    ['no city', { city: undefined }, ['city'], 'city is required'],
    ['no state', { state: undefined }, ['state'], 'state is required'],
    ['a state as a number', { state: 9 }, ['state'], 'state must be a string'],
    ['null', { zipCode: null }, ['zipCode'], 'zipCode must be a string'],
    [
      'a state of another country',
      { state: 'US-CA' },
      ['state'],
      'state is not an ISO 3166-2 code of countryCode',
    ],
    ['an invalid email', { email: 'ana@' }, ['email'], 'email must be an email address'],
    ['an unknown gender', { gender: 'female' }, ['gender'], expect.stringContaining('gender must be one of')],
    ['an unknown language', { lang: 'fr' }, ['lang'], 'lang must be one of en, es'],
    ['a latitude as text', { latitude: '19' }, ['latitude'], 'latitude must be a number'],
    ['a latitude beyond the pole', { latitude: 90.0001 }, ['latitude'], 'latitude must be at most 90'],
    ['a longitude beyond it', { longitude: -181 }, ['longitude'], 'longitude must be at least -180'],
    [
      'a place that is no JSON',
      { placeDetail: '{' },
      ['placeDetail'],
      'placeDetail must be the JSON of a place',
    ],
    [
      'a place of 65,537 characters',
      { placeDetail: `{"a":"${'a'.repeat(65_529)}"}` },
      ['placeDetail'],
      'placeDetail must have at most 65536 characters',
    ],
    ['a place that is a list', { placeDetail: '[]' }, ['placeDetail'], expect.anything()],
  ])('%s', (_what, changes, path, message) => {
    const result = read(changes);
    expect(result).toMatchObject({
      ok: false,
      failures: [{ code: 'ERROR_REQUEST_MONEY_FULL', message, path: path ?? [] }],
    });
  });

  test.each(['null', '[]', '"text"', '7', 'true'])('%s instead of an object', (body) => {
    expect(codesOf(readRegistration(parse(body), served))).toEqual(['ERROR_REQUEST_MONEY_FULL']);
  });

  test('a body that is not JSON', () => {
    expect(codesOf(readRegistration(undefined, served))).toEqual(['ERROR_REQUEST_MONEY_FULL']);
  });

  test('every one is named', () => {
    expect(codesOf(read({ city: undefined, state: undefined, extra: 1 }))).toHaveLength(3);
  });
});

describe('an issue with a code of its own', () => {
  test.each([
    ['no country', { countryCode: undefined }, 'ERROR_INVALID_COUNTRY_CODE'],
    ['an unknown country', { countryCode: 'ZZ' }, 'ERROR_INVALID_COUNTRY_CODE'],
    ['a country in small letters', { countryCode: 'mx' }, 'ERROR_INVALID_COUNTRY_CODE'],
    ['a country as a number', { countryCode: 52 }, 'ERROR_INVALID_COUNTRY_CODE'],
    [
      'a country that the partner does not serve',
      { countryCode: 'ES', state: 'Madrid' },
      'ERROR_COUNTRY_NOT_SUPPORTED',
    ],
    ['no first name', { firstName: undefined }, 'INVALID_NAME'],
    ['an empty last name', { lastName: '' }, 'INVALID_NAME'],
    ['101 characters', { lastName: 'a'.repeat(101) }, 'INVALID_NAME'],
    ['a digit in a name', { middleName: 'M4ria' }, 'INVALID_NAME'],
    ['an empty second last name', { lastName2: '' }, 'INVALID_NAME'],
    ['a name as a number', { firstName: 7 }, 'INVALID_NAME'],
    ['17, 18 tomorrow', { dob: '2008-11-22' }, 'ERROR_INVALID_DATE_OF_BIRTH'],
    ['100 to the day', { dob: '1926-11-21' }, 'ERROR_INVALID_DATE_OF_BIRTH'],
    ['a day that does not exist', { dob: '1990-02-29' }, 'ERROR_INVALID_DATE_OF_BIRTH'],
    ['a birth date as a number', { dob: 19_900_228 }, 'ERROR_INVALID_DATE_OF_BIRTH'],
    ['null as a birth date', { dob: null }, 'ERROR_INVALID_DATE_OF_BIRTH'],
    ['no phone', { phoneNumber: undefined }, 'INVALID_PHONE_NUMBER'],
    ['a phone as a number', { phoneNumber: 5_512_345_678 }, 'INVALID_PHONE_NUMBER'],
    ['an invalid phone', { phoneNumber: '+5255' }, 'INVALID_PHONE_NUMBER'],
    ['a fixed line', { phoneNumber: '+34912345678' }, 'INVALID_PHONE_NUMBER'],
  ])('%s', (_what, changes, code) => {
    expect(codesOf(read(changes))).toEqual([code]);
  });

  test('comes in the order of the atomic call, after the shape', () => {
    const all = { countryCode: 'ZZ', firstName: '', dob: 'x', phoneNumber: 'x' };
    expect(codesOf(read({ ...all, city: undefined }))).toEqual(['ERROR_REQUEST_MONEY_FULL']);
    expect(codesOf(read({ ...all, state: 'any' }))).toEqual(['ERROR_INVALID_COUNTRY_CODE']);
    expect(codesOf(read({ ...all, countryCode: 'ES', state: 'any' }))).toEqual([
      'ERROR_COUNTRY_NOT_SUPPORTED',
    ]);
    expect(codesOf(read({ ...all, countryCode: 'MX' }))).toEqual(['INVALID_NAME']);
    expect(codesOf(read({ ...all, countryCode: 'MX', firstName: 'Ana' }))).toEqual([
      'ERROR_INVALID_DATE_OF_BIRTH',
    ]);
  });
});
