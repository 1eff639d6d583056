import { describe, expect, test } from '@jest/globals';
import { findTextIssue, toAcceptedText, toShortText } from './text.ts';

describe('A free text', () => {
  test.each(['', ' ', 'two\r\nlines\tand a tab', 'emoji 👩‍👩‍👧', '\u200b'])('may be %j', (text) => {
    expect(findTextIssue(text)).toBeUndefined();
  });

  test.each(['\0', 'a\u0001b', '\u001b[31m', 'a\u007f', 'a\u0085', '\u009b'])(
    'has no control characters: %j',
    (text) => {
      expect(findTextIssue(text)).toBe('must not have control characters');
    },
  );

  test.each(['\ud800', 'a\udc00', '\udc00\ud800'])('has no half of a character: %j', (text) => {
    expect(findTextIssue(text)).toBe('must be well-formed Unicode');
  });
});

test('A text of another service is taken without control characters and halves of characters', () => {
  expect(toAcceptedText('No\0 card\u001b[31m\n\ud800')).toBe('No\ufffd card\ufffd[31m\n\ufffd');
});

describe('A rejected text in a message', () => {
  test('is cut', () => {
    expect(toShortText('a'.repeat(9), 8)).toBe(`${'a'.repeat(7)}…`);
    expect(toShortText('𝒜𝒜', 4)).toBe('𝒜𝒜');
    expect(toShortText('𝒜𝒜𝒜', 4)).toBe('𝒜\ufffd…');
  });

  test('has nothing that a terminal or a link would take for more than text', () => {
    expect(toShortText('a\0b\u001b[31m\n\u202ec\ud800', 64)).toBe('a\ufffdb\ufffd[31m\ufffd\ufffdc\ufffd');
  });
});
