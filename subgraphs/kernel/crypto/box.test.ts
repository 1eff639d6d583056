import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createBox, deriveKey } from './box.ts';

describe('box', () => {
  const box = createBox(randomBytes(32));

  test('opens a value that it sealed, for the same context', () => {
    expect(box.open(box.seal('whsec_1', 'acme/sandbox|secret|d1'), 'acme/sandbox|secret|d1').toString()).toBe(
      'whsec_1',
    );
  });

  test('seals the same value differently each time', () => {
    expect(box.seal('a', 'c').equals(box.seal('a', 'c'))).toBe(false);
  });

  test.each([
    ['another context', (s: Buffer) => box.open(s, 'globex/sandbox|secret|d1')],
    ['another key', (s: Buffer) => createBox(randomBytes(32)).open(s, 'acme/sandbox|secret|d1')],
    [
      'a changed byte',
      (s: Buffer) =>
        box.open(Buffer.from(s).fill((s.at(-1) ?? 0) ^ 1, s.length - 1), 'acme/sandbox|secret|d1'),
    ],
    ['cut bytes', (s: Buffer) => box.open(s.subarray(0, 20), 'acme/sandbox|secret|d1')],
  ])('does not open with %s', (_name, attempt) => {
    expect(() => attempt(box.seal('whsec_1', 'acme/sandbox|secret|d1'))).toThrow();
  });

  test('derives different keys for different purposes', () => {
    const master = randomBytes(32);
    expect(deriveKey(master, 'a').equals(deriveKey(master, 'b'))).toBe(false);
    expect(deriveKey(master, 'a').equals(deriveKey(master, 'a'))).toBe(true);
  });
});
