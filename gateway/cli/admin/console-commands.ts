import {
  type ConsoleAccess,
  type Environment,
  PLATFORM_TENANT,
} from '../../../subgraphs/kernel/principal.ts';
import type { ConsoleSession } from '../../../subgraphs/partners/keys/console-session-record.ts';
import { consoleLinkUrl } from '../../../subgraphs/partners/keys/console-session-record.ts';
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
  textOf,
  UsageError,
  type Values,
} from './command.ts';

const TENANT = optionWith('ID', 'The tenant.');
const PLATFORM: Option = {
  type: 'boolean',
  meaning: "In place of --tenant: for the platform's operators, who see all tenants and processes.",
};

export const CONSOLE_COMMANDS: Readonly<Record<string, Command>> = {
  'console-link': {
    isAct: true,
    summary: 'Make a link that signs a person in to the console, once, within 60 seconds',
    options: {
      tenant: TENANT,
      platform: PLATFORM,
      access: optionWith('ACCESS', 'read or admin; with --platform, read or operate. By default read.'),
      label: optionWith('TEXT', 'Whom it is for.'),
      live: { type: 'boolean', meaning: 'For the live environment; by default it is the sandbox.' },
    },
    required: [],
    examples: [
      'console-link --tenant acme',
      'console-link --tenant acme --access admin --label "Ana Ruiz"',
      'console-link --platform --label "On call"',
      'console-link --platform --access operate --label "On call"',
    ],
    run: createLink,
  },
  'console-session list': {
    summary: "A tenant's open console sessions, or the operators', the newest first",
    options: { tenant: TENANT, platform: PLATFORM },
    required: [],
    examples: ['console-session list --tenant acme --json', 'console-session list --platform'],
    run: async ({ consoleSessions, tenants }, values) => {
      const tenantId = await ownerOf(tenants, values);
      return { rows: (await consoleSessions.list({ tenantId })).map(show) };
    },
  },
  'console-session revoke': {
    isAct: true,
    summary: 'End a console session, everywhere within 5 seconds, or a link that was not used',
    options: {
      tenant: TENANT,
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
async function ownerOf(tenants: AdminDeps['tenants'], values: Values): Promise<string> {
  const isPlatform = values.platform === true;
  if (isPlatform === (values.tenant !== undefined)) {
    throw new UsageError('Give either --tenant or --platform.');
  }
  return isPlatform ? PLATFORM_TENANT : (await existingTenant(tenants, values, 'tenant')).tenantId;
}

async function createLink(deps: AdminDeps, values: Values): Promise<Answer> {
  const tenantId = await ownerOf(deps.tenants, values);
  const isPlatform = tenantId === PLATFORM_TENANT;
  if (isPlatform && values.live === true) {
    throw new UsageError('--platform does not go with --live: operators see all environments.');
  }
  const label = labelOf(values);
  if (deps.publicUrl === undefined) {
    throw new UsageError('Set PUBLIC_URL as the server has it: a link begins with it.');
  }
  const environment: Environment = values.live === true ? 'live' : 'sandbox';
  const { code, session } = await deps.consoleSessions.createLink(
    { tenantId, environment },
    { access: accessOf(values, isPlatform ? 'operate' : 'admin'), label },
  );
  const url = consoleLinkUrl(deps.publicUrl, code);
  return {
    rows: [{ url, ...show(session) }],
    act: { ...actOn(tenantId, session), environment },
    note: 'Created. The link works once, within 60 seconds; it is shown only now.',
  };
}

/** @param change the access that is not for reading alone @throws UsageError for another word */
function accessOf(values: Values, change: ConsoleAccess): ConsoleAccess {
  const given = textOf(values, 'access') ?? 'read';
  const access = (['read', change] as const).find((one) => one === given);
  if (access === undefined) {
    throw new UsageError(`--access takes read, ${change}; not ${given}.`);
  }
  return access;
}

async function revokeSession(deps: AdminDeps, values: Values): Promise<Answer> {
  const tenantId = await ownerOf(deps.tenants, values);
  const sessionId = requiredText(values, 'id');
  const startedAt = deps.now();
  const revoked = await deps.consoleSessions.revoke({ tenantId }, sessionId);
  if (!revoked.ok) {
    const owner = tenantId === PLATFORM_TENANT ? 'The platform' : `The tenant ${tenantId}`;
    throw new UsageError(`${owner} has no console session ${sessionId}.`);
  }
  const { revokedAt } = revoked.value;
  const isNew = revokedAt !== undefined && revokedAt >= startedAt;
  return {
    rows: [show(revoked.value)],
    ...(isNew && { act: { ...actOn(tenantId, revoked.value), before: { revokedAt: null } } }),
    note: 'Revoked; in force everywhere within 5 seconds.',
  };
}

/** A session of the platform is about no partner. */
function actOn(owner: string, session: ConsoleSession): Act {
  const { sessionId, ...after } = show(session);
  return { ...(owner !== PLATFORM_TENANT && { tenantId: owner }), subject: sessionId, after };
}

function show(session: ConsoleSession) {
  const { sessionId, access, label, keyId, createdAt, lastUsedAt, expiresAt, revokedAt } = session;
  return { sessionId, access, label, keyId, createdAt, lastUsedAt, expiresAt, revokedAt };
}
