import { describe, expect, test } from '@jest/globals';
import { parse } from 'lossless-json';
import { z } from 'zod';
import { jsonObject, MOST_BYTES } from '../json-object.ts';
import { imageOf } from '../testing.ts';
import { missingFields, toProfile } from '../user-data.ts';
import { MOST_IMAGE_BYTES, toGiven, userDataSchema } from './user-data.ts';

const issuesOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message);

describe('an image', () => {
  const read = (uri: unknown) => userDataSchema.safeParse({ idImage: uri });

  test.each(['gif', 'png', 'jpeg', 'webp'] as const)('may be %s, of 1 MiB exactly', (type) => {
    const image = imageOf(type, MOST_IMAGE_BYTES);
    const found = read(image.uri).data?.idImage;
    expect(found?.contentType).toBe(image.contentType);
    expect(found?.bytes.equals(image.bytes)).toBe(true);
  });

  test('of type image/jpg is a JPEG', () => {
    const { uri, bytes } = imageOf('jpeg');
    const found = read(uri.replace('jpeg', 'JPG')).data?.idImage;
    expect(found).toEqual({ contentType: 'image/jpeg', bytes });
  });

  test('of type image/gif has the signature of 1987 or of 1989', () => {
    const bytes = (text: string) => `data:image/gif;base64,${Buffer.from(text).toString('base64')}`;
    expect(read(bytes('GIF87a')).success).toBe(true);
    expect(read(bytes('GIF88a')).error?.issues[0]?.message).toBe('is not of the type that it says');
  });

  const data = imageOf('png').uri.split(',')[1] ?? '';
  test.each([
    'data:image/png;charset=utf-8;base64,',
    'data:image/png;charset="utf-8";base64,',
    'data:image/png;name="a;base64,b.png";base64,',
    'data:image/png;name="say \\"cheese\\"";charset=US-ASCII;base64,',
    'data:image/png;charset=utf-8;name=a.png;x-y=1;base64,',
    'data:image/png;name=a.png;charset=utf-8;base64,',
    'data:image/png; charset=utf-8; base64,',
    'data:image/png;name="";base64,',
    'data:image/png;BASE64,',
    'DATA:IMAGE/PNG;Charset=UTF-8;Base64,',
    'data:Image/Png;base64,',
  ])('may have any parameters, and names in any case: %s', (head) => {
    const found = read(`${head}${data}`).data?.idImage;
    expect(found).toEqual({ contentType: 'image/png', bytes: imageOf('png').bytes });
  });

  test.each([
    'data:image/png;charset=utf-8,',
    'data:image/png;base64;charset=utf-8,',
    'data:image/png;charset=;base64,',
    'data:image/png;charset;base64,',
    'data:image/png;=utf-8;base64,',
    'data:image/png;name="a;base64,',
    'data:image/png;name="a"b;base64,',
    'data:image/png;name="a\nb";base64,',
    'data:image/png;;base64,',
    'data:image/png;base64',
    'data:image/png;ba\u017fe64,',
    'data:image/png;name=\u212a;base64,',
    'data:image/svg+xml;charset=utf-8;base64,',
    'data:image;base64,',
    'data:text/png;base64,',
    ' data:image/png;base64,',
    'data: image/png;base64,',
  ])('is none with the head %j', (head) => {
    expect(read(`${head}${data}`).error?.issues[0]?.message).toContain('must be a data URI');
  });

  test('is read at once, however long its parameters are', () => {
    const head = `data:image/png${';a=b'.repeat(200_000)}`;
    expect(read(`${head};base64,${data}`).data?.idImage?.contentType).toBe('image/png');
    expect(read(`${head};base64`).success).toBe(false);
  });

  test.each([
    ['one byte too many', imageOf('png', MOST_IMAGE_BYTES + 1).uri, 'must have at most 1048576 bytes'],
    [
      'the bytes of another type',
      imageOf('png').uri.replace('png', 'jpeg'),
      'is not of the type that it says',
    ],
    [
      'the bytes of a PNG as a GIF',
      imageOf('png').uri.replace('png', 'gif'),
      'is not of the type that it says',
    ],
    ['another type', imageOf('png').uri.replace('png', 'bmp'), 'must be a data URI'],
    ['no type', 'data:;base64,iVBORw0KGgo=', 'must be a data URI'],
    ['an address', 'https://example.com/a.png', 'must be a data URI'],
    ['data that is not base64', 'data:image/png;base64,iVBOR*0KGgo=', 'is not base64'],
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
});
