import { describe, expect, test } from '@jest/globals';
import { compare } from './template.ts';

describe('compare', () => {
  test.each([
    ['{"a":1}', '{"a":1}'],
    ['{"message":"..."}', '{"message":"It is \\"quoted\\"."}'],
    ['{"t":"<time>"}', '{"t":"2026-11-21T08:00:00.000Z"}'],
    ['/fund/<22 characters>"', '/fund/9TcvGi_GTzAvD3hcN6yjzk"'],
    ['<id req_>', 'req_rOURX9ibzPz4u5q6CLMq'],
    ['<uuid>', '961646c1-14f4-473d-951e-8d54a5a7a20a'],
    ['<30 characters><2 characters>', '9TcvGi_GTzAvD3hcN6yjzk0123456-_x'],
    ['{"ms":<whole>,"n":<whole>}', '{"ms":0,"n":1200}'],
    ['<seconds> <seconds> <seconds>', '1 59 60'],
    ['"<origin>/a"', '"http://127.0.0.1:4000/a"'],
  ])('%s matches %s', (template, actual) => {
    expect(compare(template, actual, new Map())).toBeUndefined();
  });

  test.each([
    ['other order of keys', '{"a":1,"b":2}', '{"b":2,"a":1}', 2],
    ['a space more', '{"a":1}', '{"a": 1}', 5],
    ['something behind', '{"a":1}', '{"a":1}\n', 7],
    ['an empty message', '{"message":"..."}', '{"message":""}', 12],
    ['no milliseconds', '"<time>"', '"2026-11-21T08:00:00Z"', 1],
    ['a token of 21', '<22 characters>', '9TcvGi_GTzAvD3hcN6yjz', 0],
    ['a number with a fraction', '"n":<whole>}', '"n":1.5}', 5],
    ['no wait at all', '<seconds>', '0', 0],
    ['a wait of more than a minute', '<seconds>', '61', 1],
    ['a path in an origin', '"<origin>/b"', '"https://a.test/a/b"', 16],
    ['a dot that is a pattern', 'a.b', 'axb', 1],
  ])('%s does not match', (_name, template, actual, at) => {
    expect(compare(template, actual, new Map())).toContain(`from character ${at} on`);
  });

  test('remembers a text, and expects the same text later', () => {
    const remembered = new Map<string, string>();
    expect(compare('<22 characters as link>', '9TcvGi_GTzAvD3hcN6yjzk', remembered)).toBeUndefined();
    expect(compare('"<link>"', '"9TcvGi_GTzAvD3hcN6yjzk"', remembered)).toBeUndefined();
    expect(compare('"<link>"', '"AAcvGi_GTzAvD3hcN6yjzk"', remembered)).toMatch(/differs from character 1/);
  });

  test('remembers within one text', () => {
    const template = '{"a":"<time as made>","b":"<made>"}';
    const text = '{"a":"2026-11-21T08:00:00.000Z","b":"2026-11-21T08:00:00.000Z"}';
    expect(compare(template, text, new Map())).toBeUndefined();
    expect(compare(template, text.replace('.000Z"}', '.001Z"}'), new Map())).toMatch(/from character 37 on/);
  });

  test('knows its places', () => {
    expect(() => compare('<unknown place>', '', new Map())).toThrow('no place <unknown place>');
  });
});
