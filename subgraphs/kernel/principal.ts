import type { AccountId } from './account.ts';

/**
 * The permissions of a caller (decisions, section 0, "Scopes"). Only `X-Internal-Key` has `internal`, and only console sessions of the
 * platform's operators have `platform`.
 */
export type Scope = (typeof SCOPES)[number];
/** The scopes that a partner's key may have. */
export const PARTNER_SCOPES = ['partner', 'partner_full', 'partner_admin'] as const;
/**
 * Scopes that a key has by others ({@link withIncluded}) and that roles of console sessions have one by one: contact data may be
 * read, mutations may run, and webhooks may be sent again. With the last two, webhook endpoints may be changed.
 */
const INCLUDED_SCOPES = ['partner_contact', 'partner_write', 'partner_webhooks'] as const;
export const SCOPES = [...PARTNER_SCOPES, ...INCLUDED_SCOPES, 'internal', 'platform'] as const;
/** The scopes that allow reading: a browser token has no others. */
export const READ_SCOPES: readonly Scope[] = ['partner'];

/** The account of what belongs to the platform itself. No partner has it: none has `|` in its id. */
export const PLATFORM_ACCOUNT: AccountId = '|platform/live';
/** The account of internal calls, which are for no partner. */
export const INTERNAL_ACCOUNT: AccountId = '|internal/live';

/**
 * The access of a console session, each with everything of the one before it: the roles viewer, support, operator and admin. The
 * platform's operators have `read` or `operate`.
 */
export type ConsoleAccess = (typeof CONSOLE_ACCESSES)[number];
export const CONSOLE_ACCESSES = ['read', 'support', 'operate', 'admin'] as const;

/**
 * The caller. The edge makes it once from an API key, and passes it unchanged to every subgraph. Service functions limit each
 * read and write to `accountId`.
 */
export interface Principal {
  readonly accountId: AccountId;
  /** The key that calls, or that made the caller's token or session; of a session without a key, the session's own id. */
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  /** The caller's browser token; absent for a key. A caller with a token only reads: no mutation runs for it. */
  readonly browserToken?: BrowserTokenUse | undefined;
  /** The caller's console session; absent for a key. */
  readonly consoleSession?: ConsoleSessionUse | undefined;
}

/** The browser token of a caller. */
interface BrowserTokenUse {
  readonly tokenId: string;
  /** When it expires, milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The console session of a caller. */
export interface ConsoleSessionUse {
  readonly sessionId: string;
  /** Label of the session from its link, such as a person's name; may be empty. */
  readonly label: string;
  /** Digest of the person at the company's OpenID Connect provider; absent in a session of a link. */
  readonly person?: string | undefined;
  readonly access: ConsoleAccess;
  /** When it ends at the latest, milliseconds since the epoch. */
  readonly expiresAt: number;
}

const INCLUDES: Partial<Record<Scope, readonly Scope[]>> = {
  partner: ['partner_contact', 'partner_write'],
  partner_admin: ['partner_webhooks'],
};

/** The scopes of a key, with those that they include. */
export function withIncluded(scopes: readonly Scope[]): Scope[] {
  return [...new Set(scopes.flatMap((scope) => [scope, ...(INCLUDES[scope] ?? [])]))];
}

/** Whether no mutation runs for the caller, whatever its scopes. */
export function readsOnly({ browserToken, consoleSession }: Principal): boolean {
  return browserToken !== undefined || consoleSession?.access === 'read';
}

/** When the caller's token or session ends by itself, milliseconds since the epoch; undefined for a key. */
export function endOf({ browserToken, consoleSession }: Principal): number | undefined {
  return (browserToken ?? consoleSession)?.expiresAt;
}

/** Data about an operation that the graph supplies for the request log. */
export interface OperationNote {
  operationName?: string | undefined;
  isMutation: boolean;
  /** Of its first error, or of the first issue for which a mutation failed. */
  code?: string | undefined;
  /** Ids of records that it made or changed. */
  readonly subjects: string[];
  /** Called when the operation has ended, where nothing else says so. */
  readonly onEnd?: (ms: number) => void;
}

/** The request as a subgraph resolver knows it. */
export interface RequestContext {
  /** `null` for a caller without a valid key: then the gateway runs only public documents. */
  readonly principal: Principal | null;
  /** Value of `x-request-id`: the client's when it has a safe form, otherwise generated. */
  readonly requestId: string;
  /** Aborts when the caller goes away or the operation runs out of time. */
  readonly signal?: AbortSignal;
  /** Of `signal`, where the context serves one operation: its time limit aborts it. */
  readonly controller?: AbortController;
  /** Takes what is known of the operation once it has run; absent where no request is logged. */
  readonly note?: OperationNote;
  /** Whether the caller asks for the plan of the operation, which the gateway shows outside production. */
  readonly wantsPlan?: boolean;
}
