import { parseArgs } from 'node:util';
import type { Rotated } from '../../subgraphs/platform/crypto/rotate.ts';
import { OperatorError } from '../../subgraphs/platform/errors/operator-error.ts';
import type { ApiKey, ApiKeys } from '../../subgraphs/platform/keys/service.ts';
import type { Environment, Scope } from '../../subgraphs/platform/principal.ts';
import { readSeedTenant } from '../../subgraphs/platform/tenants/seed.ts';
import type { Tenant, Tenants } from '../../subgraphs/platform/tenants/service.ts';

/** What the commands act on. */
export interface AdminDeps {
  tenants: Pick<Tenants, 'find' | 'list' | 'upsert'>;
  apiKeys: Pick<ApiKeys, 'create' | 'list' | 'revoke'>;
  /** Seals everything under the current master key, and forgets the former ones. */
  rotateKeys(): Promise<Rotated[]>;
}

/** What a command answers: rows to show, or as JSON with `--json`. */
export interface Answer {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Said above the rows, for people. */
  readonly note?: string;
}

/** The command line does not say something that can be done. */
export class UsageError extends OperatorError {
  override readonly name = 'UsageError';
}

export const USAGE = `Usage: npm run admin -- COMMAND [--json]

  tenant create --id ID --name NAME [--country CC] [--currency CUR] [--source-country CC] [--features a,b]
                [--flows a,b] [--webhook-url URL] [--webhook-secret SECRET]
  tenant create --file FILE          one tenant in the form of SEED_FILE, its keys left out
  tenant list
  key create --tenant ID [--scopes partner,partner_full,partner_admin] [--label TEXT] [--live]
  key list --tenant ID
  key revoke --id KEY_ID
  encryption rotate                  seals all data under ENCRYPTION_KEY that is under ENCRYPTION_KEY_PREVIOUS

Examples:
  npm run admin -- tenant create --id acme --name "Acme Pay" --country MX --currency MXN --source-country US --features request-money
  npm run admin -- key create --tenant acme --scopes partner,partner_full --label backend --json`;

const SCOPES: readonly string[] = ['partner', 'partner_full', 'partner_admin'] satisfies Scope[];

const OPTIONS = {
  id: { type: 'string' },
  name: { type: 'string' },
  file: { type: 'string' },
  country: { type: 'string' },
  currency: { type: 'string' },
  'source-country': { type: 'string' },
  features: { type: 'string' },
  flows: { type: 'string' },
  'webhook-url': { type: 'string' },
  'webhook-secret': { type: 'string' },
  tenant: { type: 'string' },
  scopes: { type: 'string' },
  label: { type: 'string' },
  live: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseCommand>['values'];

/** Splits a command line into its command and its options. @throws UsageError */
export function parseCommand(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

const COMMANDS: Readonly<Record<string, (deps: AdminDeps, values: Values) => Promise<Answer>>> = {
  'tenant create': createTenant,
  'tenant list': async ({ tenants }) => ({ rows: (await tenants.list()).map(showTenant) }),
  'key create': createKey,
  'key list': async ({ apiKeys, tenants }, values) => {
    const tenantId = await existingTenant(tenants, values);
    return { rows: (await apiKeys.list(tenantId)).map(showKey) };
  },
  'key revoke': revokeKey,
  'encryption rotate': rotateKeys,
};

/**
 * Runs one command.
 * @throws UsageError for a command line that can't be done
 */
export async function runCommand(deps: AdminDeps, args: readonly string[]): Promise<Answer> {
  const { positionals, values } = parseCommand(args);
  const command = COMMANDS[positionals.join(' ')];
  if (!command) {
    throw new UsageError(
      positionals.length === 0 ? 'Which command?' : `There is no command "${positionals.join(' ')}".`,
    );
  }
  return command(deps, values);
}

async function createTenant({ tenants }: AdminDeps, values: Values): Promise<Answer> {
  const input = await readSeedTenant(values.file ?? fromOptions(values));
  if (await tenants.find(input.tenantId)) {
    throw new UsageError(`The tenant ${input.tenantId} exists.`);
  }
  return { rows: [showTenant(await tenants.upsert(input))], note: 'Created.' };
}

function fromOptions(values: Values) {
  const tenantId = required(values, 'id');
  return {
    tenantId,
    name: required(values, 'name'),
    country: values.country,
    countries: values.country === undefined ? [] : [values.country],
    defaultCurrency: values.currency,
    sourceCountry: values['source-country'],
    features: list(values.features),
    flows: list(values.flows),
    webhookUrl: values['webhook-url'],
    webhookSecret: values['webhook-secret'],
  };
}

async function createKey({ tenants, apiKeys }: AdminDeps, values: Values): Promise<Answer> {
  const tenantId = await existingTenant(tenants, values);
  const scopes = list(values.scopes ?? 'partner');
  const unknown = scopes.filter((scope) => !SCOPES.includes(scope));
  if (unknown.length > 0 || scopes.length === 0) {
    throw new UsageError(`--scopes takes ${SCOPES.join(', ')}; not ${unknown.join(', ') || 'nothing'}.`);
  }
  const environment: Environment = values.live ? 'live' : 'sandbox';
  const label = values.label ?? '';
  const { key, apiKey } = await apiKeys.create({ tenantId, scopes: scopes as Scope[], label, environment });
  return { rows: [{ key, ...showKey(apiKey) }], note: 'Created. The key is shown only now.' };
}

async function revokeKey({ apiKeys }: AdminDeps, values: Values): Promise<Answer> {
  const keyId = required(values, 'id');
  const revoked = await apiKeys.revoke(keyId);
  if (!revoked) {
    throw new UsageError(`There is no key ${keyId}.`);
  }
  return { rows: [showKey(revoked)], note: 'Revoked; in force everywhere within 5 seconds.' };
}

async function rotateKeys(deps: AdminDeps): Promise<Answer> {
  const rows = (await deps.rotateKeys()).map((rotated) => ({ ...rotated }));
  return {
    rows,
    note: 'Done. Run it again once no process writes under the former key: when nothing is resealed, that key may go.',
  };
}

async function existingTenant(tenants: AdminDeps['tenants'], values: Values): Promise<string> {
  const tenantId = required(values, 'tenant');
  if (!(await tenants.find(tenantId))) {
    throw new UsageError(`There is no tenant ${tenantId}.`);
  }
  return tenantId;
}

function required(values: Values, name: 'id' | 'name' | 'tenant'): string {
  const value = values[name];
  if (value === undefined || value === '') {
    throw new UsageError(`--${name} is required.`);
  }
  return value;
}

function list(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

function showTenant({ tenantId, name, country, defaultCurrency, features, flows, createdAt }: Tenant) {
  return { tenantId, name, country, defaultCurrency, features, flows, createdAt };
}

function showKey({
  keyId,
  tenantId,
  prefix,
  scopes,
  label,
  createdAt,
  lastUsedAt,
  revokedAt,
  ...key
}: ApiKey) {
  const environment = key.environment ?? 'unknown until its next use';
  return { keyId, tenantId, prefix, environment, scopes, label, createdAt, lastUsedAt, revokedAt };
}
