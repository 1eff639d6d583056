import { describe, expect, test } from '@jest/globals';
import type { Principal, Scope } from '../../kernel/principal.ts';
import { createBrowserToken } from './create-browser-token.ts';

const made: unknown[] = [];
const tokens = {
  create: async (principal: Principal, input: object) => {
    made.push([principal.keyId, input]);
    const browserToken = { tokenId: 'btk_1', scopes: [], createdAt: new Date(), expiresAt: new Date() };
    return { token: 'raas_browser_1', browserToken };
  },
};
const principal = (...scopes: Scope[]): Principal => ({
  accountId: 'acme/live',
  keyId: 'key_1',
  scopes,
});

describe('A browser token', () => {
  test('has the scopes of its key that let it read, and the lifetime that it is made with', async () => {
    const all = principal('partner', 'partner_full', 'partner_admin');
    await createBrowserToken(tokens, all, { expiresInMinutes: 1 });
    await createBrowserToken(tokens, all, { scopes: ['partner', 'partner'], expiresInMinutes: 60 });
    expect(made).toEqual([
      ['key_1', { scopes: ['partner'], lifetimeSeconds: 60 }],
      ['key_1', { scopes: ['partner'], lifetimeSeconds: 3_600 }],
    ]);
  });

  test.each<[string, Scope[], object, string]>([
    ['a scope that does more', ['partner', 'partner_admin'], { scopes: ['partner_admin'] }, 'scopes'],
    [
      'a scope that does more beside',
      ['partner', 'partner_full'],
      { scopes: ['partner', 'partner_full'] },
      'scopes',
    ],
    ['the scope of the back end', ['partner'], { scopes: ['internal'] }, 'scopes'],
    ['a scope that the key lacks', ['partner_full'], { scopes: ['partner'] }, 'scopes'],
    ['no scope', ['partner'], { scopes: [] }, 'scopes'],
    ['a key that reads nothing', ['partner_full'], {}, 'scopes'],
    ['no time', ['partner'], { expiresInMinutes: 0 }, 'expiresInMinutes'],
    ['a time that is over', ['partner'], { expiresInMinutes: -5 }, 'expiresInMinutes'],
    ['more than an hour', ['partner'], { expiresInMinutes: 61 }, 'expiresInMinutes'],
    ['half a minute', ['partner'], { expiresInMinutes: 0.5 }, 'expiresInMinutes'],
    ['no number', ['partner'], { expiresInMinutes: Number.NaN }, 'expiresInMinutes'],
  ])('is not made with %s', async (_name, scopes, input, path) => {
    const before = made.length;
    const result = await createBrowserToken(tokens, principal(...scopes), { expiresInMinutes: 5, ...input });
    expect(result).toEqual({
      ok: false,
      failures: [{ code: 'INVALID_REQUEST', message: expect.any(String), path: [path] }],
    });
    expect(made).toHaveLength(before);
  });
});
