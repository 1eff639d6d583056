/** What an API key lets its holder do (decisions, section 0, "Scopes"). `internal` belongs to `X-Internal-Key` alone. */
export type Scope = (typeof SCOPES)[number];
/** The scopes that a partner's key may have. */
export const PARTNER_SCOPES = ['partner', 'partner_full', 'partner_admin'] as const;
export const SCOPES = [...PARTNER_SCOPES, 'internal'] as const;
/** Those that let their holder read: a browser token has no others. */
export const READ_SCOPES: readonly Scope[] = ['partner'];

/** Where the money of a key is real: a key that begins with `raas_live_` is live, every other one sandbox. */
export type Environment = (typeof ENVIRONMENTS)[number];
export const ENVIRONMENTS = ['sandbox', 'live'] as const;

/**
 * Who calls. Made once at the edge from an API key and handed, unchanged, to every subgraph. Service functions
 * confine each read and write to `tenantId`.
 */
export interface Principal {
  readonly tenantId: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  readonly environment: Environment;
  /** By which token the caller was let in; absent for a key. Its holder only reads: no mutation runs for it. */
  readonly browserToken?: BrowserTokenUse | undefined;
}

/** The browser token of a caller. */
export interface BrowserTokenUse {
  readonly tokenId: string;
  /** When it ends, milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** What a subgraph resolver knows of the request that it serves. */
export interface RequestContext {
  /** `null` for a caller without a valid key: the gateway lets only public documents through then. */
  readonly principal: Principal | null;
  /** Value of `x-request-id`: inbound when sane, generated otherwise. */
  readonly requestId: string;
  /** Aborted when the caller went away or the operation ran out of time. */
  readonly signal?: AbortSignal;
  /** Aborts the signal: for whoever bounds the time of the request's one operation. */
  readonly abort?: (reason: unknown) => void;
}
