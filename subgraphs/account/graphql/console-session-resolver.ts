import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { authorize, authorizeKey } from '../../graph/authorize.ts';
import { RequiresAllScopes } from '../../graph/requires-scopes.ts';
import { toUserErrors } from '../../graph/user-error.type.ts';
import type { Failure } from '../../kernel/errors/result.ts';
import type { Principal, RequestContext } from '../../kernel/principal.ts';
import {
  consoleLinkUrl,
  type ConsoleSession as SessionRecord,
} from '../../partners/keys/console-session-record.ts';
import {
  type ConsoleSessions,
  LINK_SECONDS,
  LONGEST_LINK_SECONDS,
} from '../../partners/keys/console-sessions.ts';
import { findLabelIssues } from '../../partners/keys/label.ts';
import {
  ConsoleAccess,
  ConsoleSession,
  CreateConsoleLinkInput,
  CreateConsoleLinkPayload,
  RevokeConsoleSessionInput,
  RevokeConsoleSessionPayload,
} from './console-session.type.ts';

interface ConsoleSessionDeps {
  readonly sessions: Pick<ConsoleSessions, 'createLink' | 'list' | 'revoke'>;
  /** Without a slash at its end. */
  readonly publicUrl: string;
}

@Resolver()
export class ConsoleSessionResolver {
  constructor(private readonly deps: ConsoleSessionDeps) {}

  @RequiresAllScopes('partner', 'partner_admin')
  @Query(() => [ConsoleSession], {
    description:
      "The partner's open console sessions in the environment of the calling key, newest first. Only the 200 newest sessions are searched.",
  })
  async consoleSessions(@Ctx() context: RequestContext): Promise<ConsoleSession[]> {
    const principal = authorize(context);
    return (await this.deps.sessions.list(principal)).map((session) => present(session, principal));
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => CreateConsoleLinkPayload, {
    description:
      'Creates a link that signs a person in to the console once, by default within 60 seconds. The session has the environment of the API key and ends when the key ends. Only an API key can create links.',
  })
  async createConsoleLink(
    @Arg('input', () => CreateConsoleLinkInput, { description: 'The session.' })
    { access, label, expiresInMinutes }: CreateConsoleLinkInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateConsoleLinkPayload> {
    const principal = authorizeKey(context);
    const seconds = expiresInMinutes == null ? LINK_SECONDS : expiresInMinutes * 60;
    const failures = [...findLabelIssues(label), ...findLifeIssues(seconds)];
    if (failures.length > 0) {
      return { url: null, consoleSession: null, userErrors: toUserErrors(failures) };
    }
    const { sessions, publicUrl } = this.deps;
    const { code, session } = await sessions.createLink(principal, {
      access: STORED[access],
      label,
      seconds,
    });
    return {
      url: consoleLinkUrl(publicUrl, code),
      consoleSession: present(session, principal),
      userErrors: [],
    };
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => RevokeConsoleSessionPayload, {
    description:
      "Revokes a console session, or a console link that was not used yet. Within 5 seconds, the session's open connections are closed. Repeating the call has no effect.",
  })
  async revokeConsoleSession(
    @Arg('input', () => RevokeConsoleSessionInput, { description: 'The session.' })
    { id }: RevokeConsoleSessionInput,
    @Ctx() context: RequestContext,
  ): Promise<RevokeConsoleSessionPayload> {
    const principal = authorize(context);
    const revoked = await this.deps.sessions.revoke(principal, id);
    return revoked.ok
      ? { consoleSession: present(revoked.value, principal), userErrors: [] }
      : { consoleSession: null, userErrors: toUserErrors(revoked.failures) };
  }
}

/** The fault of the life of a link in seconds; INVALID_REQUEST, at most one. */
function findLifeIssues(seconds: number): Failure[] {
  const most = LONGEST_LINK_SECONDS / 60;
  return seconds >= 60 && seconds <= LONGEST_LINK_SECONDS
    ? []
    : [
        {
          code: 'INVALID_REQUEST',
          message: `expiresInMinutes must be a whole number from 1 to ${most}.`,
          path: ['expiresInMinutes'],
        },
      ];
}

const STORED = {
  [ConsoleAccess.READ]: 'read',
  [ConsoleAccess.SUPPORT]: 'support',
  [ConsoleAccess.OPERATE]: 'operate',
  [ConsoleAccess.ADMIN]: 'admin',
} as const;
const SHOWN = {
  read: ConsoleAccess.READ,
  support: ConsoleAccess.SUPPORT,
  operate: ConsoleAccess.OPERATE,
  admin: ConsoleAccess.ADMIN,
} as const;

function present(
  { sessionId: id, label, access, keyId, issuer, createdAt, lastUsedAt, expiresAt, revokedAt }: SessionRecord,
  { consoleSession }: Principal,
): ConsoleSession {
  return {
    id,
    label,
    access: SHOWN[access],
    apiKeyId: keyId ?? null,
    issuer: issuer ?? null,
    createdAt,
    lastSeenAt: lastUsedAt ?? null,
    endsAt: expiresAt,
    revokedAt: revokedAt ?? null,
    isCurrent: id === consoleSession?.sessionId,
  };
}
