import { describe, expect, test } from '@jest/globals';
import { parse } from 'lossless-json';
import { z } from 'zod';
import { maskNumber } from '../graphql/link.type.ts';
import { imageOf } from '../testing.ts';
import { missingFields, toProfile } from '../user-data.ts';
import { MOST_IMAGE_BYTES } from './id-image.ts';
import { jsonObject, MOST_BYTES } from './json-object.ts';
import { toGiven, userDataSchema } from './user-data.ts';

const issuesOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message);

describe('an image', () => {
  const read = (uri: unknown) => userDataSchema.safeParse({ idImage: uri });

  test.each(['png', 'jpeg', 'webp'] as const)('may be %s, of 1 MiB exactly', (type) => {
    const image = imageOf(type, MOST_IMAGE_BYTES);
    const found = read(image.uri).data?.idImage;
    expect(found?.contentType).toBe(image.contentType);
    expect(found?.bytes.equals(image.bytes)).toBe(true);
  });

  test.each([
    ['one byte too many', imageOf('png', MOST_IMAGE_BYTES + 1).uri, 'must have at most 1048576 bytes'],
    [
      'the bytes of another type',
      imageOf('png').uri.replace('png', 'jpeg'),
      'is not of the type that it says',
    ],
    ['another type', imageOf('png').uri.replace('png', 'gif'), 'must be a data URI'],
    ['no type', 'data:;base64,iVBORw0KGgo=', 'must be a data URI'],
    ['an address', 'https://example.com/a.png', 'must be a data URI'],
    ['what is not base64', 'data:image/png;base64,iVBOR*0KGgo=', 'is not base64'],
    ['base64 cut short', imageOf('png', 8).uri.slice(0, -1), 'is not base64'],
    ['base64 with a line break', `${imageOf('png').uri}\n`, 'is not base64'],
    ['no bytes', 'data:image/png;base64,', 'is not of the type that it says'],
    ['no text', 5, 'must be a string'],
  ])('fails with %s', (_what, uri, message) => {
    expect(read(uri).error?.issues[0]?.message).toContain(message);
  });
});

describe('an object of any shape', () => {
  const nested = (levels: number): unknown => (levels === 1 ? {} : { a: nested(levels - 1) });
  const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

  test('keeps what it holds, numbers plain', () => {
    const value = parse('{"a":[1,2.50,null,true,"x"],"b":{"c":1e2},"__proto__":{"d":1}}');
    const read = jsonObject.parse(value);
    expect(JSON.stringify(read)).toBe('{"a":[1,2.5,null,true,"x"],"b":{"c":100},"__proto__":{"d":1}}');
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  test('has at most 16 levels and 16 KiB', () => {
    expect(issuesOf(jsonObject, nested(16))).toBeUndefined();
    expect(issuesOf(jsonObject, nested(17))).toEqual(['must have at most 16 levels']);
    expect(issuesOf(jsonObject, ofBytes(MOST_BYTES))).toBeUndefined();
    expect(issuesOf(jsonObject, ofBytes(MOST_BYTES + 1))).toEqual(['must have at most 16384 bytes as JSON']);
  });

  test.each([
    ['a list', '[]', 'must be an object'],
    ['a text', '"a"', 'must be an object'],
    ['null', 'null', 'must be an object'],
    ['a number', '5', 'must be an object'],
    ['a number that loses digits', '{"a":[12345678901234567890]}', 'has a number with more digits'],
  ])('is not %s', (_what, json, message) => {
    expect(issuesOf(jsonObject, parse(json))?.[0]).toContain(message);
  });
});

describe('user data', () => {
  test('is split into given fields, image and profile', () => {
    const name = { firstName: 'Ana', lastName: 'Ruiz' };
    const image = imageOf('png');
    const given = toGiven(userDataSchema.parse({ name, dob: '2024-02-29', idImage: image.uri }));
    expect(given).toEqual({
      data: { name, dob: '2024-02-29' },
      image: { contentType: 'image/png', bytes: image.bytes },
    });
    expect(Object.keys(given.data.name ?? {})).toEqual(['firstName', 'lastName']);
    expect(toProfile(given.data)).toEqual({ ...name, dob: '2024-02-29' });
    expect(missingFields(given.data)).toEqual(['idType', 'idNumber']);
    expect(missingFields({})).toEqual(['name', 'idType', 'idNumber', 'dob']);
  });

  test.each([
    ['QX-7391-ZK84', '****ZK84'],
    ['12345', '****2345'],
    ['1234', '****'],
    ['7', '****'],
  ])('the id number %s is shown as %s', (number, masked) => {
    expect(maskNumber(number)).toBe(masked);
  });
});
