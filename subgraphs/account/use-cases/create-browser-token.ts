import { type Failure, type Result, succeed } from '../../kernel/errors/result.ts';
import { type Principal, READ_SCOPES } from '../../kernel/principal.ts';
import type { BrowserTokens, MadeBrowserToken } from '../../partners/keys/browser-tokens.ts';

const SHORTEST_MINUTES = 1;
const LONGEST_MINUTES = 60;

/** The request of a partner's server for a token. */
interface BrowserTokenInput {
  /** Absent: all scopes of the key that allow reading. */
  readonly scopes?: readonly string[] | null | undefined;
  readonly expiresInMinutes: number;
}

/**
 * Makes a token that reads what the caller's key reads, and nothing more. Failures: INVALID_REQUEST for a scope that the key
 * does not have or that allows more than reading, for no scopes at all, and for a lifetime other than 1 to 60 minutes.
 */
export async function createBrowserToken(
  tokens: Pick<BrowserTokens, 'create'>,
  principal: Principal,
  { scopes, expiresInMinutes }: BrowserTokenInput,
): Promise<Result<MadeBrowserToken>> {
  const allowed = READ_SCOPES.filter((scope) => principal.scopes.includes(scope));
  const wanted: readonly string[] = scopes ?? allowed;
  const failures = [...findScopeIssues(wanted, allowed), ...findLifetimeIssues(expiresInMinutes)];
  if (failures.length > 0) {
    return { ok: false, failures };
  }
  const lifetimeSeconds = expiresInMinutes * 60;
  return succeed(
    await tokens.create(principal, {
      scopes: allowed.filter((scope) => wanted.includes(scope)),
      lifetimeSeconds,
    }),
  );
}

function findScopeIssues(wanted: readonly string[], allowed: readonly string[]): Failure[] {
  if (wanted.length === 0) {
    return [invalid('scopes must name at least one scope, or be absent.', 'scopes')];
  }
  const others = wanted.filter((scope) => !allowed.includes(scope));
  return others.length === 0
    ? []
    : [invalid(`scopes may name those of the API key that let it read: ${allowed.join(', ')}.`, 'scopes')];
}

function findLifetimeIssues(minutes: number): Failure[] {
  return Number.isInteger(minutes) && minutes >= SHORTEST_MINUTES && minutes <= LONGEST_MINUTES
    ? []
    : [
        invalid(
          `expiresInMinutes must be a whole number from ${SHORTEST_MINUTES} to ${LONGEST_MINUTES}.`,
          'expiresInMinutes',
        ),
      ];
}

function invalid(message: string, name: string): Failure {
  return { code: 'INVALID_REQUEST', message, path: [name] };
}
