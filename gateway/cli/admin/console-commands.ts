import { type AccountId, ENVIRONMENTS, partsOf, tenantOf } from '../../../subgraphs/kernel/account.ts';
import {
  CONSOLE_ACCESSES,
  type ConsoleAccess,
  PLATFORM_ACCOUNT,
} from '../../../subgraphs/kernel/principal.ts';
import type { ConsoleSession } from '../../../subgraphs/partners/keys/console-session-record.ts';
import { consoleLinkUrl } from '../../../subgraphs/partners/keys/console-session-record.ts';
import { LINK_SECONDS, LONGEST_LINK_SECONDS } from '../../../subgraphs/partners/keys/console-sessions.ts';
import type { Act } from './acts.ts';
import {
  type AdminDeps,
  type Answer,
  type Command,
  existingTenant,
  labelOf,
  type Option,
  optionWith,
  requiredText,
  TENANT_OPTIONS,
  textOf,
  UsageError,
  type Values,
} from './command.ts';

const PLATFORM: Option = {
  type: 'boolean',
  meaning: "In place of --tenant: for the platform's operators, who see all tenants and processes.",
};

export const CONSOLE_COMMANDS: Readonly<Record<string, Command>> = {
  'console-link': {
    isAct: true,
    summary: 'Make a link that signs a person in to the console, once, by default within 60 seconds',
    options: {
      ...TENANT_OPTIONS,
      platform: PLATFORM,
      access: optionWith(
        'ACCESS',
        'read, support, operate or admin; with --platform, read or operate. By default read.',
      ),
      label: optionWith('TEXT', 'Whom it is for.'),
      minutes: optionWith('N', 'Until the link expires, 1 to 1440; by default 1.'),
    },
    required: [],
    examples: [
      'console-link --tenant acme',
      'console-link --tenant acme --access admin --label "Ana Ruiz"',
      'console-link --tenant acme --access support --label "Ana Ruiz" --minutes 1440',
      'console-link --platform --label "On call"',
      'console-link --platform --access operate --label "On call"',
    ],
    run: createLink,
  },
  'console-session list': {
    summary: "A tenant's open console sessions, or the operators', the newest first",
    options: { ...TENANT_OPTIONS, platform: PLATFORM },
    required: [],
    examples: ['console-session list --tenant acme --json', 'console-session list --platform'],
    run: async ({ consoleSessions, tenants }, values) => {
      const accountId = await ownerOf(tenants, values);
      return { rows: (await consoleSessions.list({ accountId })).map(show) };
    },
  },
  'console-session revoke': {
    isAct: true,
    summary: 'End a console session, everywhere within 5 seconds, or a link that was not used',
    options: {
      ...TENANT_OPTIONS,
      platform: PLATFORM,
      id: optionWith('SESSION_ID', 'The session, as console-session list prints it.'),
    },
    required: ['id'],
    examples: [
      'console-session revoke --tenant acme --id cse_7RsAcEd3kTqVb9xYw2Lm',
      'console-session revoke --platform --id cse_7RsAcEd3kTqVb9xYw2Lm',
    ],
    run: revokeSession,
  },
};

/** The owner of the sessions. @throws UsageError unless it is an existing tenant or the platform */
async function ownerOf(tenants: AdminDeps['tenants'], values: Values): Promise<AccountId> {
  const isPlatform = values.platform === true;
  if (isPlatform === (values.tenant !== undefined)) {
    throw new UsageError('Give either --tenant or --platform.');
  }
  if (isPlatform && ENVIRONMENTS.some((environment) => values[environment] === true)) {
    throw new UsageError(
      '--platform goes with neither --sandbox nor --live: operators see both environments.',
    );
  }
  return isPlatform ? PLATFORM_ACCOUNT : (await existingTenant(tenants, values, 'tenant')).accountId;
}

async function createLink(deps: AdminDeps, values: Values): Promise<Answer> {
  const accountId = await ownerOf(deps.tenants, values);
  const isPlatform = accountId === PLATFORM_ACCOUNT;
  const label = labelOf(values);
  if (deps.publicUrl === undefined) {
    throw new UsageError('Set PUBLIC_URL as the server has it: a link begins with it.');
  }
  const seconds = secondsOf(values);
  const { code, session } = await deps.consoleSessions.createLink(
    { accountId },
    { access: accessOf(values, isPlatform ? PLATFORM_ACCESSES : CONSOLE_ACCESSES), label, seconds },
  );
  const url = consoleLinkUrl(deps.publicUrl, code);
  return {
    rows: [{ url, ...show(session) }],
    act: actOn(accountId, session),
    note: `Created. The link works once, within ${seconds} seconds; it is shown only now.`,
  };
}

const PLATFORM_ACCESSES: readonly ConsoleAccess[] = ['read', 'operate'];

/** @throws UsageError for another word */
function accessOf(values: Values, accesses: readonly ConsoleAccess[]): ConsoleAccess {
  const given = textOf(values, 'access') ?? 'read';
  const access = accesses.find((one) => one === given);
  if (access === undefined) {
    throw new UsageError(`--access takes ${accesses.join(', ')}; not ${given}.`);
  }
  return access;
}

/** The life of a link. @throws UsageError for one that a link cannot have */
function secondsOf(values: Values): number {
  const given = textOf(values, 'minutes');
  const seconds = given === undefined ? LINK_SECONDS : Number(given) * 60;
  if (!(Number.isInteger(seconds / 60) && seconds >= 60 && seconds <= LONGEST_LINK_SECONDS)) {
    throw new UsageError(
      `--minutes takes a whole number from 1 to ${LONGEST_LINK_SECONDS / 60}; not ${given}.`,
    );
  }
  return seconds;
}

async function revokeSession(deps: AdminDeps, values: Values): Promise<Answer> {
  const accountId = await ownerOf(deps.tenants, values);
  const sessionId = requiredText(values, 'id');
  const startedAt = deps.now();
  const revoked = await deps.consoleSessions.revoke({ accountId }, sessionId);
  if (!revoked.ok) {
    const owner = accountId === PLATFORM_ACCOUNT ? 'The platform' : `The tenant ${tenantOf(accountId)}`;
    throw new UsageError(`${owner} has no console session ${sessionId}.`);
  }
  const { revokedAt } = revoked.value;
  const isNew = revokedAt !== undefined && revokedAt >= startedAt;
  return {
    rows: [show(revoked.value)],
    ...(isNew && { act: { ...actOn(accountId, revoked.value), before: { revokedAt: null } } }),
    note: 'Revoked; in force everywhere within 5 seconds.',
  };
}

/** A session of the platform is about no partner. */
function actOn(owner: AccountId, session: ConsoleSession): Act {
  const { sessionId, ...after } = show(session);
  return { ...(owner !== PLATFORM_ACCOUNT && partsOf(owner)), subject: sessionId, after };
}

function show(session: ConsoleSession) {
  const { sessionId, access, label, keyId, issuer, createdAt, lastUsedAt, expiresAt, revokedAt } = session;
  return { sessionId, access, label, keyId, issuer, createdAt, lastUsedAt, expiresAt, revokedAt };
}
