import { z } from 'zod';
import { ENVIRONMENTS } from '../../../subgraphs/kernel/account.ts';
import type { Box } from '../../../subgraphs/kernel/crypto/box.ts';
import { readCookie } from '../console-cookie.ts';

/** How long a person may take at the provider. */
export const ATTEMPT_SECONDS = 600;
/** The context that attempts are sealed for. */
const CONTEXT = 'console-sign-in';
/** An attempt has under 500 bytes. */
const LONGEST_COOKIE = 4_096;

const attemptSchema = z.object({
  accountId: z.templateLiteral([z.string(), '/', z.enum(ENVIRONMENTS)]),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** When it ends, milliseconds since the epoch. */
  until: z.number(),
});

/** A sign-in that began in a browser, and goes on only in that browser. */
export type SignInAttempt = z.infer<typeof attemptSchema>;

/** Keeps the attempt in the browser, sealed. The server keeps nothing of it. */
export interface AttemptCookie {
  /** `Set-Cookie` that keeps an attempt for {@link ATTEMPT_SECONDS}. */
  keep(attempt: Omit<SignInAttempt, 'until'>): string;
  /** `Set-Cookie` that forgets the attempt. */
  readonly forget: string;
  /** The attempt of a request; undefined without one, and for one that has ended or that we have not sealed. */
  read(header: string | undefined): SignInAttempt | undefined;
}

/**
 * The cookie is `SameSite=Lax`, because the provider's page leads back to us. It is no credential: it only continues what its own
 * browser began.
 * @param publicUrl the service's address for clients; absent: HTTP
 */
export function createAttemptCookie(
  box: Box,
  publicUrl: string | undefined,
  clock: () => Date,
): AttemptCookie {
  const isSecure = publicUrl?.startsWith('https:') === true;
  const name = isSecure ? '__Host-remitgraph-sign-in' : 'remitgraph-sign-in';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    keep: (attempt) => {
      const until = clock().getTime() + ATTEMPT_SECONDS * 1_000;
      const sealed = box.seal(JSON.stringify({ ...attempt, until }), CONTEXT).toString('base64url');
      return `${name}=${sealed}; ${attributes}; Max-Age=${ATTEMPT_SECONDS}`;
    },
    forget: `${name}=; ${attributes}; Max-Age=0`,
    read: (header) => {
      const attempt = open(box, readCookie(header, name));
      return attempt && attempt.until > clock().getTime() ? attempt : undefined;
    },
  };
}

function open(box: Box, text: string | undefined): SignInAttempt | undefined {
  if (text === undefined || text.length > LONGEST_COOKIE) {
    return undefined;
  }
  let opened: string;
  try {
    opened = box.open(Buffer.from(text, 'base64url'), CONTEXT).toString();
  } catch {
    // Another key has sealed it, or somebody changed it: the person starts again.
    return undefined;
  }
  return attemptSchema.parse(JSON.parse(opened));
}
