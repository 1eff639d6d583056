import { signal } from '@preact/signals';
import { ROOT } from './root.ts';

/** Each has everything of the one before it: the roles viewer, support, operator and admin. */
const ACCESSES = ['read', 'support', 'operate', 'admin'] as const;
export type ConsoleAccess = (typeof ACCESSES)[number];

interface AnySession {
  readonly id: string;
  /** Its role. */
  readonly access: ConsoleAccess;
  readonly endsAt: string;
}

/** The session of a partner's person. Source: `gateway/docs/console.md`. */
export interface PartnerSession extends AnySession {
  readonly partner: { readonly id: string; readonly name: string };
  readonly environment: 'sandbox' | 'live';
}

/** One of the platform's operators, who sees nothing of partners' payers. */
interface PlatformSession extends AnySession {
  readonly partner: null;
}

export type Session = PartnerSession | PlatformSession;

/** Why a sign-in by the company's account was refused, as the server names it in the address. */
const REFUSALS = ['unknown', 'expired', 'offline', 'denied', 'invalid', 'clock', 'role'] as const;
type SignInRefusal = (typeof REFUSALS)[number];
/** A link was wrong, the session has ended, the server did not answer, or a company's sign-in was refused. */
export type SignedOutReason = 'code' | 'ended' | 'offline' | `sign-in-${SignInRefusal}`;

/** Where signing in stands. */
export type SessionState =
  | { readonly name: 'working' }
  | { readonly name: 'signed-in'; readonly session: Session }
  /** A link was opened while this session runs: the person chooses one of the two. */
  | { readonly name: 'choosing'; readonly session: Session; readonly code: string }
  /** A sign-in with the company's account was refused while this session runs, which stays. */
  | { readonly name: 'refused'; readonly session: Session; readonly because: `sign-in-${SignInRefusal}` }
  /** `because` is absent if there was no session before. */
  | { readonly name: 'signed-out'; readonly because?: SignedOutReason };

export const session = signal<SessionState>({ name: 'working' });

/** Whether the server answered the last check of the session. A live stream stays open while its database is away. */
export const isReachable = signal(true);

/** Sent with each request: another site's page cannot set it. */
export const OWN_HEADERS = { 'x-remitgraph-console': '1' } as const;

const PATH = `${ROOT}/session`;

/**
 * Signs in with the code in the address, or finds the existing session. If there are both, the person chooses: the
 * link may belong to another partner. A refused sign-in keeps an existing session. The code leaves the address and the history at once: it works once, and must
 * not be seen or sent on.
 */
export async function begin(): Promise<void> {
  const given = new URLSearchParams(location.hash.slice(1));
  const code = given.get('code');
  const refusal = REFUSALS.find((one) => one === given.get('sign-in'));
  if (code !== null || refusal !== undefined) {
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  const present = await ask('GET', undefined, undefined);
  if (refusal !== undefined) {
    session.value = refused(present, `sign-in-${refusal}`);
  } else if (code === null) {
    session.value = present;
  } else if (present.name === 'signed-in') {
    session.value = { name: 'choosing', session: present.session, code };
  } else {
    await signInBy(code);
  }
}

/** The state after a refused sign-in, with the session that the browser has. Without an answer, one may still exist. */
function refused(present: SessionState, because: `sign-in-${SignInRefusal}`): SessionState {
  if (present.name === 'signed-in') {
    return { name: 'refused', session: present.session, because };
  }
  return present.name === 'signed-out' && present.because === 'offline'
    ? present
    : { name: 'signed-out', because };
}

/** Signs in with the code of a link, which ends the session that the browser has. */
export async function signInBy(code: string): Promise<void> {
  session.value = { name: 'working' };
  session.value = await ask('POST', { code }, 'code');
}

/** Keeps the session that the browser has; the code of a link is forgotten. */
export function keepSession(present: Session): void {
  session.value = { name: 'signed-in', session: present };
}

/** Whether the session is one of a partner, with at least this access. */
export function may(access: ConsoleAccess): boolean {
  return (
    session.value.name === 'signed-in' &&
    session.value.session.partner !== null &&
    ACCESSES.indexOf(session.value.session.access) >= ACCESSES.indexOf(access)
  );
}

/** Whether the session has the role of an administrator. */
export function isAdmin(): boolean {
  return may('admin');
}

/**
 * Leads to the provider of a partner, which leads back here.
 * @param environment absent: the live one, if people sign in to it
 */
export function signInAt(partner: string, environment?: 'sandbox' | 'live'): void {
  const query = environment ? `?environment=${environment}` : '';
  location.assign(`${ROOT}/sign-in/${encodeURIComponent(partner)}${query}`);
}

/** Whether the session is one of a partner's sandbox. */
export function isSandbox(): boolean {
  const { value } = session;
  return (
    value.name === 'signed-in' && value.session.partner !== null && value.session.environment === 'sandbox'
  );
}

/** Whether the session may act on the work of partners, as one of the platform's operators. */
export function mayOperate(): boolean {
  return isPlatform() && session.value.name === 'signed-in' && session.value.session.access === 'operate';
}

/** Whether the session belongs to the platform's operators and not to a partner. */
export function isPlatform(): boolean {
  return session.value.name === 'signed-in' && session.value.session.partner === null;
}

/** Ends the session here and on the server. */
export async function signOut(): Promise<void> {
  const ended = await ask('DELETE', undefined, undefined);
  if (ended.name === 'signed-out') {
    session.value = ended;
  }
}

/**
 * Checks that the session is still the same: the key behind it may have been revoked, or another tab may have signed
 * in to another session, with the same cookie. Without an answer nothing changes.
 */
export async function check(): Promise<void> {
  const before = session.value;
  const now = await ask('GET', undefined, undefined);
  isReachable.value = !(now.name === 'signed-out' && now.because === 'offline');
  if (session.value !== before || before.name !== 'signed-in') {
    return;
  }
  if (now.name === 'signed-in' && now.session.id !== before.session.id) {
    session.value = now;
  } else if (now.name === 'signed-out' && now.because === undefined) {
    noteEnded();
  }
}

/** The server no longer knows the session. */
export function noteEnded(): void {
  if (session.value.name === 'signed-in') {
    session.value = { name: 'signed-out', because: 'ended' };
  }
}

async function ask(
  method: 'GET' | 'POST' | 'DELETE',
  body: object | undefined,
  rejected: 'code' | undefined,
): Promise<SessionState> {
  try {
    const response = await fetch(PATH, {
      method,
      headers: { ...OWN_HEADERS, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.status >= 500 || response.status === 429) {
      return { name: 'signed-out', because: 'offline' };
    }
    if (!response.ok || response.status === 204) {
      return { name: 'signed-out', ...(rejected && { because: rejected }) };
    }
    return { name: 'signed-in', session: await response.json() };
  } catch {
    // For every interruption the reader sees that there was no answer, and may try again.
    return { name: 'signed-out', because: 'offline' };
  }
}
