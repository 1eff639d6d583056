import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { AccountId } from '../../kernel/account.ts';
import { type StoredBytes, toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { keysOf } from '../../kernel/objects.ts';
import { parseUrl } from '../../kernel/parse-url.ts';
import { type ConsoleAccess, PLATFORM_ACCOUNT } from '../../kernel/principal.ts';
import { isUsableSecret } from '../../kernel/text.ts';

/** The access of each role, the lowest role first. */
export const ACCESS_OF_ROLE = {
  viewer: 'read',
  support: 'support',
  operator: 'operate',
  admin: 'admin',
} as const satisfies Record<string, ConsoleAccess>;
type ConsoleRole = keyof typeof ACCESS_OF_ROLE;
/** The lowest first: each has everything of the one before it. */
const CONSOLE_ROLES = keysOf(ACCESS_OF_ROLE);

const text = z.string().min(1).max(256);

/** Sign-in to the console by OpenID Connect, in the form of a seed file. */
export const signInSchema = z.strictObject({
  issuer: z.string().max(2_048).refine(isIssuer, 'must be an HTTPS URL without query and fragment'),
  clientId: text,
  clientSecret: z
    .string()
    .min(8, 'must have at least 8 characters')
    .max(512)
    .refine(isUsableSecret, 'must not have control characters, or a space at either end'),
  scope: text.default('openid profile email'),
  claim: text.default('roles'),
  roles: z
    .record(text, z.enum(CONSOLE_ROLES))
    .refine((roles) => Object.keys(roles).length > 0, 'must have a value of the claim'),
});

/** The sign-in of a tenant's people in one environment, by their company's OpenID Connect provider. */
export type SignIn = z.output<typeof signInSchema>;

function isIssuer(value: string): boolean {
  const url = parseUrl(value);
  return url?.protocol === 'https:' && !/[?#]/.test(value) && url.username === '' && url.password === '';
}

/** The highest role that the values of the claim give; undefined for none. @param value of the claim: a text or a list of texts */
export function roleOf({ roles }: Pick<SignIn, 'roles'>, value: unknown): ConsoleRole | undefined {
  const values = new Set([value].flat());
  return CONSOLE_ROLES.findLast((role) =>
    Object.entries(roles).some(([name, given]) => given === role && values.has(name)),
  );
}

/**
 * Identifies the values of a sign-in that decide who gets which role: when they change, the sessions that they gave end. The client
 * secret is not one of them.
 */
export function versionOf({ issuer, clientId, claim, roles }: SignIn): string {
  const rules = JSON.stringify([issuer, clientId, claim, Object.entries(roles).toSorted()]);
  return createHash('sha256').update(rules).digest('base64url');
}

/** The settings of the platform's own sign-in, which come together. */
interface PlatformSettings {
  readonly PLATFORM_SIGN_IN_ISSUER?: string | undefined;
  readonly PLATFORM_SIGN_IN_CLIENT_ID?: string | undefined;
  readonly PLATFORM_SIGN_IN_CLIENT_SECRET?: string | undefined;
  readonly PLATFORM_SIGN_IN_ROLES?: string | undefined;
  readonly PLATFORM_SIGN_IN_SCOPE: string;
  readonly PLATFORM_SIGN_IN_CLAIM: string;
}

/**
 * The sign-in of the platform's operators; undefined without one.
 * @throws OperatorError for values that cannot be used
 */
export function platformSignInOf(settings: PlatformSettings): SignIn | undefined {
  const { PLATFORM_SIGN_IN_ISSUER, PLATFORM_SIGN_IN_CLIENT_ID, PLATFORM_SIGN_IN_CLIENT_SECRET } = settings;
  const { PLATFORM_SIGN_IN_ROLES } = settings;
  const together = {
    PLATFORM_SIGN_IN_ISSUER,
    PLATFORM_SIGN_IN_CLIENT_ID,
    PLATFORM_SIGN_IN_CLIENT_SECRET,
    PLATFORM_SIGN_IN_ROLES,
  };
  const missing = keysOf(together).filter((name) => together[name] === undefined);
  if (missing.length === keysOf(together).length) {
    return undefined;
  }
  if (missing.length > 0) {
    throw new OperatorError(`${missing.join(', ')}: required when any PLATFORM_SIGN_IN_ setting is given`);
  }
  const parsed = signInSchema.safeParse({
    issuer: PLATFORM_SIGN_IN_ISSUER,
    clientId: PLATFORM_SIGN_IN_CLIENT_ID,
    clientSecret: PLATFORM_SIGN_IN_CLIENT_SECRET,
    scope: settings.PLATFORM_SIGN_IN_SCOPE,
    claim: settings.PLATFORM_SIGN_IN_CLAIM,
    roles: Object.fromEntries((PLATFORM_SIGN_IN_ROLES ?? '').split(',').map((pair) => pair.split('=', 2))),
  });
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new OperatorError(`PLATFORM_SIGN_IN_…: ${issues.join('; ')}`);
  }
  return parsed.data;
}

/** Whether an account exists, or is the platform's, and its people sign in as {@link versionOf} says, where it is given. */
export function createAccountCheck(
  tenants: { find(accountId: AccountId): Promise<{ readonly signIn?: SignIn } | undefined> },
  platform: SignIn | undefined,
): (accountId: AccountId, version: string | undefined) => Promise<boolean> {
  return async (accountId, version) => {
    const found = accountId === PLATFORM_ACCOUNT ? { signIn: platform } : await tenants.find(accountId);
    if (version === undefined) {
      return found !== undefined;
    }
    return found?.signIn !== undefined && versionOf(found.signIn) === version;
  };
}

/** Seals the configuration as one value, with its client secret. */
export function sealSignIn(box: Box, signIn: SignIn, context: string): Buffer {
  return box.seal(JSON.stringify(signIn), context);
}

/** @throws when the value was sealed under another key or has been changed */
export function openSignIn(box: Box, sealed: StoredBytes, context: string): SignIn {
  return signInSchema.parse(JSON.parse(box.open(toBuffer(sealed), context).toString()));
}
