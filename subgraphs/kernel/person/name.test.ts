import { describe, expect, test } from '@jest/globals';
import { findNameIssue, isLegalName } from './name.ts';

const codePoint = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
const shown = (text: string) =>
  [...text].map((character) => codePoint(Number(character.codePointAt(0)))).join(' ');
const NAMES = [
  'A',
  'José Ñandú',
  "O'Neil-Smith",
  '李小龙',
  '𠮷野家',
  'Ｊｏｓé',
  'علی‌رضا',
  'क्‍ष',
  'מרים\u200e',
  '\u200fعلي\u061c',
  'Jose\u0301',
  'An\u00ada',
  '葛\u{e0100}',
  'Anne‍Marie',
  '👩‍👩‍👧',
  ' Ana ',
  '-',
];
const INVISIBLE = [
  ' ',
  '\u00a0',
  '\u3000',
  '\u200b',
  '\u00ad',
  '\u034f',
  '\u0301',
  '\u0301\u0300',
  '\u20dd',
  '\u115f',
  '\u1160',
  '\u17b4',
  '\u180e',
  '\u200c',
  '\u200d',
  '\u200e\u200f',
  '\u2060',
  '\u2800',
  '\u3164',
  '\ufe0f',
  '\ufeff',
  '\uffa0',
  '\ufffc',
  '\uffff',
  '\ufff9',
  '\ue000',
  '\u{1d159}',
  '\u{1d173}',
  '\u{13441}',
  '\u{e0041}',
  '\u{e0100}',
  '\u200b \u00ad\u3164\u0301',
];
const OVERRIDES = [...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'];
const CONTROLS = [
  ...Array.from({ length: 32 }, (_, code) => code),
  0x7f,
  0x80,
  0x85,
  0x9f,
  0x2028,
  0x2029,
].map((code) => String.fromCharCode(code));

describe('A name of a person', () => {
  test.each(NAMES)('may be %j', (name) => {
    expect(findNameIssue(name)).toBeUndefined();
    expect(isLegalName(name)).toBe(true);
  });

  test.each(INVISIBLE.map(shown))('must show something: not %s', (codes) => {
    const name = codes
      .split(' ')
      .map((code) => String.fromCodePoint(Number.parseInt(code.slice(2), 16)))
      .join('');
    expect(findNameIssue(name)).toBe('must have a visible character');
    expect(isLegalName(name)).toBe(false);
    expect(isLegalName(`${name}Ana${name}`)).toBe(true);
  });

  test.each([
    ['control character', CONTROLS, 'must not have control characters'],
    ['override of direction', OVERRIDES, 'must not have characters that override the direction of text'],
    ['half of a character', ['\ud800', '\udbff', '\udc00', '\udfff'], 'must be well-formed Unicode'],
  ])('has no %s anywhere', (_what, characters, issue) => {
    for (const character of characters) {
      for (const name of [character, `${character}Ana`, `An${character}a`, `Ana${character}`]) {
        expect([shown(name), findNameIssue(name)]).toEqual([shown(name), issue]);
        expect(isLegalName(name)).toBe(false);
      }
    }
  });

  test('is not empty', () => {
    expect(findNameIssue('')).toBe('must not be empty');
  });
});

describe('A legal name of document 1', () => {
  test.each([
    ['100 characters', 'a'.repeat(100)],
    ['100 characters of two code units each', '𝒜'.repeat(100)],
    ['a Roman numeral, which is a letter', 'Juan Ⅳ'],
  ])('may have %s', (_what, name) => {
    expect(isLegalName(name)).toBe(true);
  });

  test.each([
    ['101 characters', 'a'.repeat(101)],
    ['a digit', 'An4'],
    ['a digit of another script', 'Ana٤'],
    ['a full-width digit', 'Ana４'],
    ['nothing', ''],
    ['a number', 4],
    ['null', null],
    ['undefined', undefined],
    ['a list', ['Ana']],
  ])('is not %s', (_what, name) => {
    expect(isLegalName(name)).toBe(false);
  });
});
