import { describe, expect, test } from '@jest/globals';
import { readDialCode, readPhone } from './phone.ts';

describe('phone numbers', () => {
  test.each([
    ['E.164', '+525512345678', undefined],
    ['E.164, whatever the country', '+525512345678', 'US'],
    ['the national form', '5512345678', 'MX'],
    ['the national form with spaces', '55 1234 5678', 'MX'],
    ['the national form in brackets', '(55) 1234-5678', 'MX'],
    ['international with spaces', '+52 55 1234 5678', undefined],
    ['international by the exit code of the country', '011 52 55 1234 5678', 'US'],
  ])('%s', (_what, text, country) => {
    expect(readPhone(text, country)).toMatchObject({ e164: '+525512345678', dialCode: '+52', country: 'MX' });
  });

  test.each([
    ['Great Britain, mobile', '+447400123456', true],
    ['Great Britain, fixed line', '+442079460000', false],
    ['Spain, mobile', '+34612345678', true],
    ['Spain, fixed line', '+34912345678', false],
    ['Colombia, mobile', '+573211234567', true],
    ['Colombia, fixed line', '+576012345678', false],
    ['the United States, where the number does not show it', '+13125550188', true],
    ['Mexico, where the number does not show it', '+525512345678', true],
    ['the United States, toll-free', '+18002345678', false],
    ['Great Britain, premium rate', '+449012345678', false],
  ])('%s: mobile or not', (_what, text, isMobile) => {
    expect(readPhone(text)?.isMobile).toBe(isMobile);
  });

  test('a number that was just parsed is not parsed again, except for another country', () => {
    const first = readPhone('55 1234 5601', 'MX');
    expect(first).toMatchObject({ e164: '+525512345601' });
    expect(readPhone('55 1234 5601', 'US')).toMatchObject({ e164: '+15512345601' });
    expect(readDialCode('55 1234 5601', 'US')).toBe('+1');
    expect(readPhone('55 1234 5601')).toBeUndefined();
    expect(readPhone('55 1234 5601', 'MX')).toBe(first);
    for (let other = 10; other < 60; other += 1) {
      readPhone(`55 1234 56${other}`, 'MX');
    }
    expect(readPhone('55 1234 5601', 'MX')).not.toBe(first);
    expect(readPhone('55 1234 5601', 'MX')).toEqual(first);
  });

  test('countries that share a dial code are distinguished', () => {
    expect(readPhone('+16135550188')).toMatchObject({ dialCode: '+1', country: 'CA' });
    expect(readPhone('+13125550188')).toMatchObject({ dialCode: '+1', country: 'US' });
  });

  test.each([
    ['too short', '+52551234', undefined],
    ['too long', '+5255123456789', undefined],
    ['an unknown dial code', '+999123456789', undefined],
    ['a national form without a country', '5512345678', undefined],
    ['the national form for an unknown country', '5512345678', 'ZZ'],
    ['an area code that is not given out', '+15550001234', undefined],
    ['text around it', 'call +525512345678', undefined],
    ['text behind it', '+525512345678 please', undefined],
    ['nothing', '', 'MX'],
    ['only a plus sign', '+', 'MX'],
    ['letters', 'abcdefghij', 'MX'],
    ['two numbers', '+525512345678 +525512345679', undefined],
    ['an extension', '+13125550188 ext. 12', undefined],
    ['an extension of a national form', '(312) 555-0188 x12', 'US'],
    ['an extension of RFC 3966', '+13125550188;ext=12', undefined],
  ])('%s is none', (_what, text, country) => {
    expect(readPhone(text, country)).toBeUndefined();
  });
});

describe('dial codes', () => {
  test.each([
    ['+525512345678', undefined, '+52'],
    ['5512345678', 'MX', '+52'],
    ['+52551', undefined, '+52'],
    ['+13125550188', 'MX', '+1'],
    ['+15550001234', undefined, '+1'],
  ])('%s of %s has %s, valid or not', (text, country, dialCode) => {
    expect(readDialCode(text, country)).toBe(dialCode);
  });

  test.each([
    ['', 'MX'],
    ['5512345678', undefined],
    ['+999123456789', undefined],
    ['none', 'MX'],
  ])('%j of %s has none', (text, country) => {
    expect(readDialCode(text, country)).toBeUndefined();
  });
});
