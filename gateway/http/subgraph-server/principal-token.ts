import { createHash, randomUUID, webcrypto } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { ENVIRONMENTS } from '../../../subgraphs/kernel/account.ts';
import type { CausalTimes } from '../../../subgraphs/kernel/database/causal-times.ts';
import { canonicalJson } from '../../../subgraphs/kernel/json/canonical.ts';
import { CONSOLE_ACCESSES, type RequestContext, SCOPES } from '../../../subgraphs/kernel/principal.ts';

/**
 * Where a gateway names the caller to a subgraph: an HTTP header, a name in `connectionParams` over WebSocket, and a name in the
 * `extensions` of each operation there.
 */
export const PRINCIPAL_HEADER = 'x-remitgraph-principal';

/** Where a subgraph names the {@link CausalTimes} of its answers to a gateway: in the `extensions` of each answer and event. */
export const TIMES_EXTENSION = 'x-remitgraph-times';

const ALGORITHM = 'HS256';
const ISSUER = 'gateway';
const LIFETIME_SECONDS = 30;
/** Clocks of two machines may differ by this much. */
const TOLERANCE_SECONDS = 5;
/** A token is valid for at most this long after its first use: a clock that is ahead may have issued it. */
const REMEMBERED_SECONDS = LIFETIME_SECONDS + 2 * TOLERANCE_SECONDS;

/**
 * The permission of a token: to send one HTTP request, to open one socket, or to start one operation over a socket (`SUBSCRIBE`).
 */
type TokenMethod = 'POST' | 'GET' | 'SUBSCRIBE';

/** The purpose of one token. */
export interface TokenUse {
  /** The subgraph's name. */
  readonly audience: string;
  readonly method: TokenMethod;
  /** The exact bytes that the request carries; empty for the opening of a socket. See {@link operationText}. */
  readonly body: string | Uint8Array;
}

type Caller = Pick<RequestContext, 'principal' | 'requestId'>;

/** Issues tokens: one for each request. */
export interface PrincipalSigner {
  sign(caller: Caller, use: TokenUse): Promise<string>;
}

/** Why a token is rejected. Only the log gets the reason, never the sender. */
type TokenFailure =
  | 'missing'
  | 'malformed'
  | 'algorithm'
  | 'signature'
  | 'expired'
  | 'audience'
  | 'method'
  | 'body'
  | 'replayed';

/** A token that has passed the checks and can be used. */
export interface ReadToken {
  readonly caller: Caller;
  /** Uses up the token. @param body the bytes that came with it @returns why it is rejected; undefined when it is valid */
  redeem(body: string | Uint8Array): 'body' | 'replayed' | undefined;
}

type TokenResult =
  | { readonly ok: true; readonly token: ReadToken }
  | { readonly ok: false; readonly reason: TokenFailure };

/** Checks the tokens of one subgraph. This verifier takes each token once. */
export interface PrincipalVerifier {
  /** Checks everything but the body and an earlier use, before the body is read. */
  read(token: unknown, method: TokenMethod): Promise<TokenResult>;
}

const claimsSchema = z.object({
  aud: z.string(),
  jti: z.string().min(16).max(128),
  htm: z.string(),
  bodySha256: z.string(),
  requestId: z.string(),
  seen: z.string().optional(),
  principal: z
    .object({
      accountId: z.templateLiteral([z.string(), '/', z.enum(ENVIRONMENTS)]),
      keyId: z.string(),
      scopes: z.array(z.enum(SCOPES)),
      browserToken: z.object({ tokenId: z.string(), expiresAt: z.number() }).optional(),
      consoleSession: z
        .object({
          sessionId: z.string(),
          label: z.string(),
          person: z.string().optional(),
          access: z.enum(CONSOLE_ACCESSES),
          expiresAt: z.number(),
        })
        .optional(),
    })
    .nullable(),
});

interface TokenDeps {
  /** The key that signs tokens, then former keys whose tokens are still valid. Texts of 32 characters or more. */
  keys: readonly [string, ...string[]];
  /** Milliseconds since the epoch. */
  clock?: () => number;
}

interface SignerDeps extends TokenDeps {
  /** On a sharded cluster: the gateway's, which each token names. */
  causalTimes?: Pick<CausalTimes, 'latest'> | undefined;
}

interface VerifierDeps extends TokenDeps {
  /** The subgraph's name. */
  audience: string;
  /** On a sharded cluster: the subgraph's, which each token that is used advances to those of its gateway. */
  causalTimes?: Pick<CausalTimes, 'advance'> | undefined;
}

/** JSON Web Tokens (RFC 7519), signed with HMAC-SHA256; gateway/app/README.md, "Roles", has their claims. */
export function createPrincipalSigner({
  keys: [current],
  clock = Date.now,
  causalTimes,
}: SignerDeps): PrincipalSigner {
  const key = importKey(current);
  return {
    sign: async ({ principal, requestId }, { audience, method, body }) => {
      const issuedAt = Math.floor(clock() / 1_000);
      const seen = causalTimes?.latest();
      const claims = { htm: method, bodySha256: sha256(body), requestId, principal };
      return new SignJWT({ ...claims, ...(seen !== undefined && { seen }) })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuer(ISSUER)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + LIFETIME_SECONDS)
        .setJti(randomUUID())
        .sign(await key);
    },
  };
}

export function createPrincipalVerifier(deps: VerifierDeps): PrincipalVerifier {
  const { audience, causalTimes, clock = Date.now } = deps;
  const keys = deps.keys.map(importKey);
  const used = createReplayGuard({ rememberedMs: REMEMBERED_SECONDS * 1_000, clock });
  return {
    read: async (token, method) => {
      if (typeof token !== 'string' || token === '') {
        return rejected('missing');
      }
      for (const key of keys) {
        const checked = await check(token, await key, audience, clock());
        if (checked.ok) {
          return readClaims(checked.payload, method, { used, causalTimes });
        }
        if (checked.reason !== 'signature') {
          return checked;
        }
      }
      return rejected('signature');
    },
  };
}

/**
 * The text for `bodySha256` of an operation over a WebSocket: the canonical JSON (RFC 8785) of its payload without
 * `extensions`, which carries the token itself.
 */
export function operationText({
  extensions: _,
  ...payload
}: Readonly<Record<string, unknown>> & { extensions?: unknown }): string {
  const given = Object.entries(payload).filter(([, value]) => value != null);
  // As on the wire, where undefined members do not exist.
  return canonicalJson(JSON.parse(JSON.stringify(Object.fromEntries(given))));
}

type Checked = { ok: true; payload: JWTPayload } | { ok: false; reason: TokenFailure };

async function check(token: string, key: SigningKey, audience: string, now: number): Promise<Checked> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: 'JWT',
      issuer: ISSUER,
      audience,
      requiredClaims: ['exp', 'iat', 'jti'],
      maxTokenAge: LIFETIME_SECONDS,
      clockTolerance: TOLERANCE_SECONDS,
      currentDate: new Date(now),
    });
    return { ok: true, payload };
  } catch (error) {
    return rejected(reasonOf(error));
  }
}

function readClaims(
  payload: JWTPayload,
  method: TokenMethod,
  { used, causalTimes }: Pick<VerifierDeps, 'causalTimes'> & { readonly used: ReplayGuard },
): TokenResult {
  const parsed = claimsSchema.safeParse(payload);
  if (!parsed.success) {
    // A token for several audiences would be a bearer token for each of them.
    return rejected(Array.isArray(payload.aud) ? 'audience' : 'malformed');
  }
  const { principal, requestId, htm, jti, bodySha256, seen } = parsed.data;
  if (htm !== method) {
    return rejected('method');
  }
  return {
    ok: true,
    token: {
      caller: { principal, requestId },
      redeem: (body) => {
        if (sha256(body) !== bodySha256) {
          return 'body';
        }
        if (!used.isFirst(jti)) {
          return 'replayed';
        }
        if (seen !== undefined) {
          causalTimes?.advance(seen);
        }
        return undefined;
      },
    },
  };
}

/** @throws errors that are not about the token */
function reasonOf(error: unknown): TokenFailure {
  if (!(error instanceof errors.JOSEError)) {
    throw error;
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return 'signature';
  }
  if (error instanceof errors.JWTExpired) {
    return 'expired';
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return 'algorithm';
  }
  return error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud' ? 'audience' : 'malformed';
}

function rejected<Reason extends TokenFailure>(reason: Reason): { ok: false; reason: Reason } {
  return { ok: false, reason };
}

type SigningKey = Awaited<ReturnType<typeof importKey>>;

/** The key's bytes are its text in UTF-8. It is imported once, because the import is most of the work of a signature. */
function importKey(text: string) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return webcrypto.subtle.importKey('raw', Buffer.from(text), algorithm, false, ['sign', 'verify']);
}

function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

/** Remembers what has been used. */
interface ReplayGuard {
  /** Marks the id as used. Returns whether this was its first use. */
  isFirst(id: string): boolean;
}

/**
 * Remembers ids for `rememberedMs` at least and twice that at most. There are two sets, and the older one is dropped as a
 * whole: so memory is bounded by the ids used in that time, without a timer for each. It knows only this process.
 */
function createReplayGuard({
  rememberedMs,
  clock,
}: {
  rememberedMs: number;
  clock: () => number;
}): ReplayGuard {
  let older = new Set<string>();
  let newer = new Set<string>();
  let turnedAt = clock();
  const turn = (now: number) => {
    const elapsed = now - turnedAt;
    if (elapsed >= rememberedMs) {
      older = elapsed >= 2 * rememberedMs ? new Set() : newer;
      newer = new Set();
      turnedAt = now;
    }
  };
  return {
    isFirst: (id) => {
      turn(clock());
      if (newer.has(id) || older.has(id)) {
        return false;
      }
      newer.add(id);
      return true;
    },
  };
}
