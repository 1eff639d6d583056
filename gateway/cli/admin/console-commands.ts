import type { ConsoleSession } from '../../../subgraphs/platform/keys/console-session-record.ts';
import { consoleLinkUrl } from '../../../subgraphs/platform/keys/console-session-record.ts';
import { findLabelIssues } from '../../../subgraphs/platform/keys/label.ts';
import { CONSOLE_ACCESSES, type ConsoleAccess } from '../../../subgraphs/platform/principal.ts';
import {
  type AdminDeps,
  type Answer,
  type Command,
  existingTenant,
  optionWith,
  requiredText,
  textOf,
  UsageError,
  type Values,
} from './command.ts';

const TENANT = optionWith('ID', 'The tenant.');

export const CONSOLE_COMMANDS: Readonly<Record<string, Command>> = {
  'console-link': {
    summary: 'Make a link that signs a person in to the console, once, within 60 seconds',
    options: {
      tenant: TENANT,
      access: optionWith('ACCESS', `Of ${CONSOLE_ACCESSES.join(', ')}; by default read.`),
      label: optionWith('TEXT', 'Whom it is for.'),
      live: { type: 'boolean', meaning: 'For the live environment; by default it is the sandbox.' },
    },
    required: ['tenant'],
    examples: ['console-link --tenant acme', 'console-link --tenant acme --access admin --label "Ana Ruiz"'],
    run: createLink,
  },
  'console-session list': {
    summary: "A tenant's open console sessions, the newest first",
    options: { tenant: TENANT },
    required: ['tenant'],
    examples: ['console-session list --tenant acme --json'],
    run: async ({ consoleSessions, tenants }, values) => {
      const { tenantId } = await existingTenant(tenants, values, 'tenant');
      return { rows: (await consoleSessions.list({ tenantId })).map(show) };
    },
  },
  'console-session revoke': {
    summary: 'End a console session, everywhere within 5 seconds, or a link that was not used',
    options: {
      tenant: TENANT,
      id: optionWith('SESSION_ID', 'The session, as console-session list tells it.'),
    },
    required: ['tenant', 'id'],
    examples: ['console-session revoke --tenant acme --id cse_7RsAcEd3kTqVb9xYw2Lm'],
    run: revokeSession,
  },
};

async function createLink(deps: AdminDeps, values: Values): Promise<Answer> {
  const { tenantId } = await existingTenant(deps.tenants, values, 'tenant');
  const label = textOf(values, 'label') ?? '';
  const [issue] = findLabelIssues(label);
  if (issue) {
    throw new UsageError(`--${issue.message}`);
  }
  if (deps.publicUrl === undefined) {
    throw new UsageError('Set PUBLIC_URL as the server has it: a link begins with it.');
  }
  const { code, session } = await deps.consoleSessions.createLink(
    { tenantId, environment: values.live === true ? 'live' : 'sandbox' },
    { access: accessOf(values), label },
  );
  const url = consoleLinkUrl(deps.publicUrl, code);
  return {
    rows: [{ url, ...show(session) }],
    note: 'Created. The link works once, within 60 seconds; it is shown only now.',
  };
}

/** @throws UsageError for another word */
function accessOf(values: Values): ConsoleAccess {
  const given = textOf(values, 'access') ?? 'read';
  const access = CONSOLE_ACCESSES.find((one) => one === given);
  if (access === undefined) {
    throw new UsageError(`--access takes ${CONSOLE_ACCESSES.join(', ')}; not ${given}.`);
  }
  return access;
}

async function revokeSession(deps: AdminDeps, values: Values): Promise<Answer> {
  const { tenantId } = await existingTenant(deps.tenants, values, 'tenant');
  const sessionId = requiredText(values, 'id');
  const revoked = await deps.consoleSessions.revoke({ tenantId }, sessionId);
  if (!revoked.ok) {
    throw new UsageError(`The tenant ${tenantId} has no console session ${sessionId}.`);
  }
  return { rows: [show(revoked.value)], note: 'Revoked; in force everywhere within 5 seconds.' };
}

function show(session: ConsoleSession) {
  const { sessionId, access, label, keyId, createdAt, lastUsedAt, expiresAt, revokedAt } = session;
  return { sessionId, access, label, keyId, createdAt, lastUsedAt, expiresAt, revokedAt };
}
