import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { accountOf } from '../../kernel/account.ts';
import { createCursors } from './cursor.ts';

const key = randomBytes(32);
const cursors = createCursors([key]);
const position = { seq: 12_345, keptUntil: new Date('2026-12-21T08:00:00.000Z') };

describe('cursors', () => {
  test('should decode to their original values, in any process with the key', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.nat(Number.MAX_SAFE_INTEGER),
        fc.date({ noInvalidDate: true, min: new Date(0) }),
        (tenantId, seq, keptUntil) => {
          const accountId = accountOf(tenantId, 'live');
          const cursor = cursors.encode(accountId, { seq, keptUntil });
          expect(createCursors([Buffer.from(key)]).decode(accountId, cursor)).toEqual({ seq, keptUntil });
        },
      ),
    );
  });

  test('should be safe in a URL and not show the number', () => {
    const cursor = cursors.encode('acme/sandbox', position);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]{59}$/);
    expect(cursor).not.toContain(Buffer.from('12345').toString('base64url'));
  });

  test('should be the same for the same place, and for no other', () => {
    const cursor = cursors.encode('acme/sandbox', position);
    expect(cursors.encode('acme/sandbox', { ...position })).toBe(cursor);
    expect(createCursors([Buffer.from(key), randomBytes(32)]).encode('acme/sandbox', position)).toBe(cursor);
    const others = [
      cursors.encode('globex/sandbox', position),
      cursors.encode('acme/sandbox', { ...position, seq: 12_346 }),
      cursors.encode('acme/sandbox', { ...position, keptUntil: new Date(0) }),
      createCursors([randomBytes(32)]).encode('acme/sandbox', position),
    ];
    // Neither the nonce nor what it seals shows that two places have anything in common.
    for (const part of [0, 16, 40].map((at) => (text: string) => text.slice(at, at + 16))) {
      expect(new Set([cursor, ...others].map(part)).size).toBe(5);
    }
  });

  test('should not be readable for another tenant or with another key', () => {
    const cursor = cursors.encode('acme/sandbox', position);
    expect(cursors.decode('globex/sandbox', cursor)).toBeUndefined();
    expect(createCursors([randomBytes(32)]).decode('acme/sandbox', cursor)).toBeUndefined();
    expect(createCursors([randomBytes(32), key]).decode('acme/sandbox', cursor)).toBeDefined();
  });

  test('should not be readable with any character changed', () => {
    const cursor = cursors.encode('acme/sandbox', position);
    for (let at = 0; at < cursor.length; at += 1) {
      const changed = `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'w' : 'A'}${cursor.slice(at + 1)}`;
      expect(cursors.decode('acme/sandbox', changed)).toBeUndefined();
    }
  });

  test.each([
    '',
    '0',
    'null',
    '12345',
    'A'.repeat(58),
    'A'.repeat(59),
    'A'.repeat(60),
    ' '.repeat(59),
    'é'.repeat(59),
  ])('should not read %j', (text) => {
    expect(cursors.decode('acme/sandbox', text)).toBeUndefined();
  });

  test('should not read whatever else', () => {
    fc.assert(fc.property(fc.string(), (text) => cursors.decode('acme/sandbox', text) === undefined));
  });
});
