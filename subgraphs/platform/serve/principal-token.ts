import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { RequestContext } from '../principal.ts';

/** Header in which the gateway tells a subgraph who asks, and the name in `connectionParams` over WebSocket. */
export const PRINCIPAL_HEADER = 'x-remitgraph-principal';

/** Long enough for clocks that differ a little, short enough to be useless when found in a log. */
const LIFETIME_MS = 30_000;

/** Who asks, signed by the gateway for the subgraphs, which have the same keys. */
export interface PrincipalTokens {
  /** `<base64url JSON>.<base64url HMAC-SHA256>`, good for 30 s. */
  sign(context: Pick<RequestContext, 'principal' | 'requestId'>): string;
  /** What was signed; undefined for a token that is missing, changed, expired or signed under another key. */
  verify(token: unknown): Pick<RequestContext, 'principal' | 'requestId'> | undefined;
}

const claimsSchema = z.object({
  principal: z
    .object({
      tenantId: z.string(),
      keyId: z.string(),
      scopes: z.array(z.enum(['partner', 'partner_full', 'partner_admin', 'internal'])),
      environment: z.enum(['sandbox', 'live']),
    })
    .nullable(),
  requestId: z.string(),
  /** Milliseconds since the epoch. */
  expiresAt: z.number(),
});

/** @param deps.keys the current one, under which tokens are signed, then those whose tokens still count */
export function createPrincipalTokens(deps: {
  keys: readonly [Buffer, ...Buffer[]];
  clock?: () => number;
}): PrincipalTokens {
  const clock = deps.clock ?? Date.now;
  const mac = (key: Buffer, payload: string) => createHmac('sha256', key).update(payload).digest();
  return {
    sign: ({ principal, requestId }) => {
      const claims = { principal, requestId, expiresAt: clock() + LIFETIME_MS };
      const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return `${payload}.${mac(deps.keys[0], payload).toString('base64url')}`;
    },
    verify: (token) => {
      const [payload = '', signature = ''] = typeof token === 'string' ? token.split('.') : [];
      const given = Buffer.from(signature, 'base64url');
      if (!deps.keys.some((key) => isEqual(given, mac(key, payload)))) {
        return undefined;
      }
      const { expiresAt, ...claims } = claimsSchema.parse(
        JSON.parse(Buffer.from(payload, 'base64url').toString()),
      );
      return expiresAt > clock() ? claims : undefined;
    },
  };
}

function isEqual(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
