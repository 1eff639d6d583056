import { describe, expect, test } from '@jest/globals';
import { personalDataOf } from './erasure.ts';
import { en } from './language/en.ts';
import { es } from './language/es.ts';

const AT = '2026-03-01T12:00:00.000Z';

describe('The personal data of a user', () => {
  test.each([
    ['kept', { erasureRequestedAt: null, erasedAt: null }],
    ['erasing', { erasureRequestedAt: AT, erasedAt: null }],
    ['erased', { erasureRequestedAt: AT, erasedAt: AT }],
  ] as const)('are %s', (state, user) => {
    expect(personalDataOf(user)).toBe(state);
  });

  test('have a text in each language while they are erased, and afterwards', () => {
    const texts = [en, es].flatMap(({ user }) => [user.erasing, user.erased]);
    expect(new Set(texts).size).toBe(4);
    expect(texts.every((text) => text.length > 0)).toBe(true);
  });
});
