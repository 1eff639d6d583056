import { describe, expect, test } from '@jest/globals';
import { createBox } from '../../kernel/crypto/box.ts';
import { PLATFORM_ACCOUNT } from '../../kernel/principal.ts';
import {
  createAccountCheck,
  openSignIn,
  platformSignInOf,
  roleOf,
  type SignIn,
  sealSignIn,
  signInSchema,
  versionOf,
} from './sign-in.ts';

const GIVEN = {
  issuer: 'https://login.acme.example/tenant',
  clientId: 'remitgraph',
  clientSecret: 'a-secret-of-the-client',
  roles: { viewers: 'viewer', ops: 'operator', 'a.b$c': 'admin' },
} as const;

describe('A sign-in by OpenID Connect', () => {
  test('is stored sealed, for one account', () => {
    const box = createBox(Buffer.alloc(32));
    const signIn = signInSchema.parse(GIVEN);
    const sealed = sealSignIn(box, signIn, 'acme/live|signIn|tenant');
    expect(sealed.includes(GIVEN.clientSecret)).toBe(false);
    expect(openSignIn(box, sealed, 'acme/live|signIn|tenant')).toEqual(signIn);
    expect(() => openSignIn(box, sealed, 'globex/live|signIn|tenant')).toThrow();
  });

  test.each([
    ['issuer', 'http://login.acme.example'],
    ['issuer', 'https://user:word@login.acme.example'],
    ['issuer', 'https://login.acme.example/?a=1'],
    ['issuer', 'https://login.acme.example/#a'],
    ['issuer', 'none'],
    ['clientId', ''],
    ['clientSecret', 'short'],
    ['roles', {}],
    ['roles', { ops: 'root' }],
    ['unknown', 1],
  ])('has no %s %j', (name, value) => {
    const { error } = signInSchema.safeParse({ ...GIVEN, [name]: value });
    expect(error?.issues).toHaveLength(1);
  });

  test.each([
    ['ops', 'operator'],
    [['viewers', 'ops'], 'operator'],
    [['a.b$c', 'viewers'], 'admin'],
    [['other'], undefined],
    ['', undefined],
    [undefined, undefined],
    [{ ops: true }, undefined],
    [7, undefined],
  ])('gives for the claim %j the role %s', (value, role) => {
    expect(roleOf(GIVEN, value)).toBe(role);
  });
});

describe("The platform's own sign-in", () => {
  const none = { PLATFORM_SIGN_IN_SCOPE: 'openid', PLATFORM_SIGN_IN_CLAIM: 'groups' };
  const all = {
    ...none,
    PLATFORM_SIGN_IN_ISSUER: GIVEN.issuer,
    PLATFORM_SIGN_IN_CLIENT_ID: 'remitgraph',
    PLATFORM_SIGN_IN_CLIENT_SECRET: GIVEN.clientSecret,
    PLATFORM_SIGN_IN_ROLES: 'console=viewer,on-call=operator',
  };

  test('is made of its settings, or absent without them', () => {
    expect(platformSignInOf(none)).toBeUndefined();
    expect(platformSignInOf(all)).toEqual({
      ...{ issuer: GIVEN.issuer, clientId: 'remitgraph', clientSecret: GIVEN.clientSecret },
      ...{ scope: 'openid', claim: 'groups', roles: { console: 'viewer', 'on-call': 'operator' } },
    });
  });

  test('stops the start when a setting is missing or cannot be used', () => {
    const { PLATFORM_SIGN_IN_ROLES: _, ...some } = all;
    expect(() => platformSignInOf(some)).toThrow('PLATFORM_SIGN_IN_ROLES: required');
    expect(() => platformSignInOf({ ...all, PLATFORM_SIGN_IN_ISSUER: 'http://a.test' })).toThrow('issuer');
  });
});

test('an account is there for sessions of its present sign-in, and for those of links', async () => {
  const signIn: SignIn = signInSchema.parse(GIVEN);
  const platform: SignIn = { ...signIn, issuer: 'https://platform.example' };
  const all = new Map<string, { readonly signIn?: SignIn }>([
    ['acme/live', { signIn }],
    ['initech/live', {}],
  ]);
  const tenants = { find: async (accountId: string) => all.get(accountId) };
  const isThere = createAccountCheck(tenants, platform);
  const asked = [
    ['acme/live', undefined],
    ['acme/live', versionOf(signIn)],
    ['acme/live', versionOf(platform)],
    ['initech/live', undefined],
    ['initech/live', versionOf(signIn)],
    ['globex/live', undefined],
    [PLATFORM_ACCOUNT, undefined],
    [PLATFORM_ACCOUNT, versionOf(platform)],
    [PLATFORM_ACCOUNT, versionOf(signIn)],
  ] as const;
  const answers = await Promise.all(asked.map(([accountId, version]) => isThere(accountId, version)));
  expect(answers).toEqual([true, true, false, true, false, false, true, true, false]);
});

test('a sign-in is another one with other roles, but not with another secret or in another order', () => {
  const signIn = signInSchema.parse(GIVEN);
  const reordered = Object.fromEntries(Object.entries(signIn.roles).toReversed());
  expect(versionOf({ ...signIn, clientSecret: 'another-secret', roles: reordered })).toBe(versionOf(signIn));
  const others: Partial<SignIn>[] = [
    { issuer: 'https://other.example' },
    { clientId: 'other' },
    { claim: 'groups' },
    { roles: { ...signIn.roles, ops: 'viewer' } },
    { roles: { ops: 'operator' } },
  ];
  const versions = others.map((other) => versionOf({ ...signIn, ...other }));
  expect(new Set([versionOf(signIn), ...versions]).size).toBe(others.length + 1);
});
