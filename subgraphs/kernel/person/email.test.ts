import { describe, expect, test } from '@jest/globals';
import { isEmail } from './email.ts';

const LABEL = 'd'.repeat(63);

describe('An email address', () => {
  test.each([
    'ana@example.com',
    'ana.ruiz+acme@example.com',
    ...[..."!#$%&'*+-/=?^_`{|}~"].map((symbol) => `a${symbol}b@example.com`),
    ...[..."!#$%&'*+-/=?^_`{|}~"].map((symbol) => `${symbol}@example.com`),
    'a.b.c@mail.example.co',
    'ana-@example.com',
    '123@123.example',
    'ANA@EXAMPLE.COM',
    '"ana ruiz"@example.com',
    '"a@b"@example.com',
    '"a\\"b"@example.com',
    'ana@xn--mxico-bsa.xn--p1ai',
    'ana@a.b-c.d2',
    `${'a'.repeat(64)}@example.com`,
    `a@${LABEL}.example.com`,
    `a@${'d'.repeat(60)}.${LABEL}.${LABEL}.${LABEL}`,
  ])('may be %s', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['no domain', 'ana'],
    ['no local part', '@example.com'],
    ['an empty domain', 'ana@'],
    ['a dot first', '.ana@example.com'],
    ['a dot last', 'ana.@example.com'],
    ['two dots', 'ana..ruiz@example.com'],
    ['a space', 'ana ruiz@example.com'],
    ['a second @', 'ana@ruiz@example.com'],
    ['parentheses', 'ana(work)@example.com'],
    ['a comma', 'ana,ruiz@example.com'],
    ['a backslash outside of quotes', 'ana\\@example.com'],
    ['quotes that do not close', '"ana@example.com'],
    ['empty quotes', '""@example.com'],
    ['a quote within quotes', '"a"b"@example.com'],
    ['a control character within quotes', '"a\nb"@example.com'],
    ['a line break behind it', 'ana@example.com\n'],
    ['NUL', 'ana\0@example.com'],
    ['letters beyond ASCII', 'josé@example.com'],
    ['an invisible character', 'ana\u200b@example.com'],
    ['a domain of one label', 'ana@localhost'],
    ['a domain that ends in a dot', 'ana@example.com.'],
    ['an empty label', 'ana@example..com'],
    ['a label that begins with a hyphen', 'ana@-example.com'],
    ['a label that ends with a hyphen', 'ana@example-.com'],
    ['an underscore in the domain', 'ana@exa_mple.com'],
    ['a top-level domain of one letter', 'ana@example.c'],
    ['an IP address', 'ana@127.0.0.1'],
    ['an address literal', 'ana@[127.0.0.1]'],
    ['a local part of 65 characters', `${'a'.repeat(65)}@example.com`],
    ['a label of 64 characters', `ana@d${LABEL}.com`],
    ['255 characters', `a@${'d'.repeat(61)}.${LABEL}.${LABEL}.${LABEL}`],
  ])('has %s: no', (_what, text) => {
    expect(isEmail(text)).toBe(false);
  });

  test('is judged at once, however long it is', () => {
    expect(isEmail(`${'a.'.repeat(500_000)}@example.com`)).toBe(false);
  });
});
