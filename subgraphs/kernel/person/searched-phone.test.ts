import { describe, expect, test } from '@jest/globals';
import { isPhoneText, phonesMeant } from './searched-phone.ts';

const MEXICO = { countries: ['MX', 'US'], dialCodes: ['+52', '+1'] };

describe('A searched phone number', () => {
  test.each([
    '+525512345678',
    '525512345678',
    '00525512345678',
    '011525512345678',
    '+52 55 1234 5678',
    '+52 (55) 1234-5678',
    '(+52) 55 1234 5678',
    '55 1234 5678',
    '(55) 1234.5678',
    '55–1234–5678',
    '055 1234 5678',
    'tel:+52-55-1234-5678',
    '\u202a+52 55 1234 5678\u202c',
    '+52\u00a055\u00a01234\u00a05678',
    '＋５２５５１２３４５６７８',
  ])('is found as %p', (text) => {
    expect(isPhoneText(text)).toBe(true);
    expect(phonesMeant(text, MEXICO)).toContain('+525512345678');
  });

  test('may have the national prefix behind its country code', () => {
    expect(phonesMeant('+44 (0)20 7946 0958', MEXICO)).toEqual(['+442079460958']);
  });

  test('is national only in the countries of the partner', () => {
    expect(phonesMeant('312 555 0188', MEXICO)).toContain('+13125550188');
    expect(phonesMeant('312 555 0188', { countries: ['CO'], dialCodes: ['+57'] })).not.toContain(
      '+13125550188',
    );
    expect(phonesMeant('55 1234 5678', { countries: [], dialCodes: [] })).not.toContain('+525512345678');
  });

  test('with a plus sign means one number', () => {
    expect(phonesMeant('+13125550188', MEXICO)).toEqual(['+13125550188']);
  });

  test.each(['', '0', '+52', 'Ana', 'op_12345678', '12345678x', '5'.repeat(40), '2026-11-26T10:00'])(
    'is not meant by %p',
    (text) => {
      expect(phonesMeant(text, MEXICO)).toEqual([]);
    },
  );
});
