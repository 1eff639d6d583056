import { tenantOf } from '../../../subgraphs/kernel/account.ts';
import { PARTNER_SCOPES } from '../../../subgraphs/kernel/principal.ts';
import type { ApiKey } from '../../../subgraphs/partners/keys/record.ts';
import type { Act } from './acts.ts';
import {
  type AdminDeps,
  type Answer,
  type Command,
  existingAccounts,
  existingTenant,
  labelOf,
  listOf,
  optionWith,
  requiredText,
  requireKnown,
  TENANT_OPTIONS,
  UsageError,
  type Values,
} from './command.ts';
import { nextSteps } from './readiness.ts';

export const KEY_COMMANDS: Readonly<Record<string, Command>> = {
  'key create': {
    isAct: true,
    summary: 'Make an API key; it is shown this once',
    options: {
      ...TENANT_OPTIONS,
      scopes: optionWith('a,b', `Of ${PARTNER_SCOPES.join(', ')}; by default partner.`),
      label: optionWith('TEXT', 'The purpose of the key.'),
    },
    required: ['tenant'],
    examples: ['key create --tenant acme --scopes partner,partner_full --label backend'],
    run: createKey,
  },
  'key list': {
    summary: "A tenant's keys, revoked ones too; by default of both environments",
    options: { ...TENANT_OPTIONS },
    required: ['tenant'],
    examples: ['key list --tenant acme --json'],
    run: async ({ apiKeys, tenants }, values) => {
      const accounts = await existingAccounts(tenants, values, 'tenant');
      const keys = await Promise.all(accounts.map(({ accountId }) => apiKeys.list(accountId)));
      return { rows: keys.flat().map(showKey) };
    },
  },
  'key revoke': {
    isAct: true,
    summary: 'Revoke a key, everywhere within 5 seconds',
    options: { id: optionWith('KEY_ID', 'The key, as key list prints it.') },
    required: ['id'],
    examples: ['key revoke --id key_7RsAcEd3kTqVb9xYw2Lm'],
    run: revokeKey,
  },
};

async function createKey(deps: AdminDeps, values: Values): Promise<Answer> {
  const tenant = await existingTenant(deps.tenants, values, 'tenant');
  const { accountId, environment } = tenant;
  const chosen = listOf(values, 'scopes') ?? ['partner'];
  requireKnown('scopes', chosen, PARTNER_SCOPES);
  if (chosen.length === 0) {
    throw new UsageError(`--scopes takes ${PARTNER_SCOPES.join(', ')}; not nothing.`);
  }
  const label = labelOf(values);
  const { key, apiKey } = await deps.apiKeys.create({
    accountId,
    scopes: PARTNER_SCOPES.filter((one) => chosen.includes(one)),
    label,
  });
  const next = await nextSteps(deps.tenants, tenant);
  return {
    rows: [{ key, ...showKey(apiKey) }],
    act: actOn(apiKey),
    note: 'Created. The key is shown only now.',
    next:
      environment === 'live' && deps.missingProviders.length > 0
        ? [
            `Live calls that need a provider fail until the server has ${deps.missingProviders.join(', ')}.`,
            ...next,
          ]
        : next,
  };
}

async function revokeKey({ apiKeys, now }: AdminDeps, values: Values): Promise<Answer> {
  const startedAt = now();
  const keyId = requiredText(values, 'id');
  const revoked = await apiKeys.revoke(keyId);
  if (!revoked) {
    throw new UsageError(`There is no key ${keyId}.`);
  }
  const isNew = revoked.revokedAt !== undefined && revoked.revokedAt >= startedAt;
  return {
    rows: [showKey(revoked)],
    ...(isNew && { act: { ...actOn(revoked), before: { revokedAt: null } } }),
    note: 'Revoked; in force everywhere within 5 seconds.',
  };
}

function actOn(key: ApiKey): Act {
  const { tenantId, environment, keyId, ...after } = showKey(key);
  return { tenantId, environment, subject: keyId, after };
}

function showKey({
  keyId,
  accountId,
  prefix,
  environment,
  scopes,
  label,
  createdAt,
  lastUsedAt,
  endsAt,
  revokedAt,
}: ApiKey) {
  const tenantId = tenantOf(accountId);
  return { keyId, tenantId, prefix, environment, scopes, label, createdAt, lastUsedAt, endsAt, revokedAt };
}
