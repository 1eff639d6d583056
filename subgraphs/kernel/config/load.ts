import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { deriveKey } from '../crypto/box.ts';
import { isSystemError, OperatorError } from '../errors/operator-error.ts';
import { keysOf } from '../objects.ts';
import { type Role } from './roles.ts';
import { isSecret, SETTINGS, type SettingName, type Settings } from './schema.ts';
import { keepTokenKey, loadSecrets, type Secrets } from './secrets.ts';

/** Every setting of the process. Secrets are always there: given, or generated and kept. */
export type Config = Omit<Settings, SecretName> & Readonly<Record<SecretName, string>>;

type SecretName = keyof Secrets;

interface ConfigIssue {
  readonly setting: string;
  readonly message: string;
}

/** Thrown by {@link loadConfig} with every issue of the environment, never only the first. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError';
  readonly issues: readonly ConfigIssue[];

  constructor(issues: readonly ConfigIssue[]) {
    super(['The configuration is invalid:', ...issues.map((f) => `  ${f.setting}: ${f.message}`)].join('\n'));
    this.issues = issues;
  }
}

/**
 * Reads and checks the environment (decisions, section 1). An empty value counts as unset.
 * Outside production, unset secrets are generated once and kept in `DATA_DIR` with mode 0600.
 * @throws ConfigError naming every issue
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const issues: ConfigIssue[] = [];
  const settings = parseSettings(env, issues);
  issues.push(
    ...checkFiles(settings),
    ...checkTogether(settings, issues),
    ...checkRole(settings),
    ...checkProduction(settings),
    ...checkTokenKey(settings),
  );
  if (issues.length > 0) {
    throw new ConfigError(issues);
  }
  const dataDir = resolve(settings.DATA_DIR);
  const config = { ...settings, DATA_DIR: dataDir, ...keepSecrets(dataDir, settings) };
  givenNames.set(config, new Set(keysOf(SETTINGS).filter((name) => env[name])));
  return config;
}

/** The settings that the environment of a configuration has given. */
const givenNames = new WeakMap<Config, ReadonlySet<SettingName>>();

/** The names of the settings that are from the environment; the others are the product's own. */
export function givenSettings(config: Config): ReadonlySet<SettingName> {
  return givenNames.get(config) ?? new Set();
}

function keepSecrets(
  dataDir: string,
  settings: Settings,
): Secrets & { readonly INTERNAL_TOKEN_KEY: string | undefined } {
  try {
    return {
      ...loadSecrets(dataDir, settings),
      INTERNAL_TOKEN_KEY: settings.INTERNAL_TOKEN_KEY ?? makeTokenKey(dataDir, settings),
    };
  } catch (error) {
    if (isSystemError(error)) {
      const message = `cannot keep generated secrets there: ${error.message}`;
      throw new ConfigError([{ setting: 'DATA_DIR', message }]);
    }
    throw error;
  }
}

/**
 * The key of tokens when none is given, outside production only. Roles on other machines share no directory, but have the
 * same pepper, so they derive the same key without another setting.
 */
function makeTokenKey(dataDir: string, { ROLE: role, API_KEY_PEPPER: pepper }: Settings): string | undefined {
  if (!usesTokens(role)) {
    return undefined;
  }
  return pepper === undefined
    ? keepTokenKey(dataDir)
    : deriveKey(Buffer.from(pepper), 'internal-token').toString('base64url');
}

function parseSettings(env: NodeJS.ProcessEnv, issues: ConfigIssue[]): Settings {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const parsed = setting.type.safeParse(env[name] === '' ? undefined : env[name]);
    if (/^\s+$/.test(env[name] ?? '')) {
      // As a number it would be 0, which turns some limits off.
      issues.push({ setting: name, message: 'must not be blank' });
    } else if (parsed.success) {
      values[name] = parsed.data;
    } else {
      issues.push(...parsed.error.issues.map((issue) => ({ setting: name, message: issue.message })));
    }
  }
  // The casts: there is a value for each setting, or an issue, and then nobody gets the settings.
  return values as unknown as Settings;
}

const FILE_SETTINGS = [
  'SUPERGRAPH_FILE',
  'SEED_FILE',
  'TRUSTED_DOCUMENTS_DIR',
  'WEBHOOK_CA_FILE',
  'WEBHOOK_CLIENT_CERT_FILE',
  'WEBHOOK_CLIENT_KEY_FILE',
  'CONSOLE_SIGN_IN_CA_FILE',
  'MTLS_CERT_FILE',
  'MTLS_KEY_FILE',
  'MTLS_CA_FILE',
] as const;

function checkFiles(settings: Settings): ConfigIssue[] {
  return FILE_SETTINGS.flatMap((setting) => {
    const path = settings[setting];
    return path === undefined || existsSync(path) ? [] : [{ setting, message: `there is no file ${path}` }];
  });
}

/** Settings that need each other. */
const TOGETHER = [
  ['MTLS_PORT', 'MTLS_CERT_FILE', 'MTLS_KEY_FILE', 'MTLS_CA_FILE'],
  ['WEBHOOK_CLIENT_CERT_FILE', 'WEBHOOK_CLIENT_KEY_FILE'],
  ['SMTP_URL', 'MAIL_FROM'],
  [
    'PLATFORM_SIGN_IN_ISSUER',
    'PLATFORM_SIGN_IN_CLIENT_ID',
    'PLATFORM_SIGN_IN_CLIENT_SECRET',
    'PLATFORM_SIGN_IN_ROLES',
  ],
] as const satisfies readonly (readonly SettingName[])[];

/** @param reported a setting that is invalid is not missing */
function checkTogether(settings: Settings, reported: readonly ConfigIssue[]): ConfigIssue[] {
  return TOGETHER.flatMap((names) => {
    const given = names.filter((name) => settings[name] !== undefined);
    const missing = names.filter(
      (name) => settings[name] === undefined && !reported.some(({ setting }) => setting === name),
    );
    const message = `is required with ${given.join(', ')}`;
    return given.length === 0 ? [] : missing.map((setting) => ({ setting, message }));
  });
}

const SUBGRAPH_URLS = [
  'SUBGRAPH_OPERATIONS_URL',
  'SUBGRAPH_USERS_URL',
  'SUBGRAPH_LINKS_URL',
  'SUBGRAPH_REQUEST_MONEY_URL',
] as const;

/** Roles that share the work must share the database, and a development store belongs to a single process. */
function checkRole(settings: Partial<Settings>): ConfigIssue[] {
  const { ROLE: role } = settings;
  if (role === undefined) {
    // It is reported already that this is not a role.
    return [];
  }
  const wanted = [
    ...(role === 'all' ? [] : ['MONGODB_URI' as const]),
    ...(role === 'gateway' ? SUBGRAPH_URLS : []),
  ];
  const missing = wanted
    .filter((name) => settings[name] === undefined)
    .map((setting) => ({ setting, message: `is required for ROLE=${role}` }));
  const unwanted = role !== 'gateway' && settings.SUPERGRAPH_FILE !== undefined;
  return unwanted
    ? [...missing, { setting: 'SUPERGRAPH_FILE', message: 'is for ROLE=gateway alone' }]
    : missing;
}

const SHORTEST_INTERNAL_KEY = 16;
const SECRET_NAMES = ['INTERNAL_API_KEY', 'ENCRYPTION_KEY', 'API_KEY_PEPPER'] as const satisfies SecretName[];

function checkProduction(settings: Settings): ConfigIssue[] {
  if (settings.NODE_ENV !== 'production') {
    return [];
  }
  const missing = SECRET_NAMES.filter((name) => settings[name] === undefined);
  const issues = [
    ...checkDatabase(settings),
    ...missing.map((setting) => ({ setting, message: 'is required in production' })),
    ...checkGuessable(settings),
  ];
  const weak = settings.INTERNAL_API_KEY && settings.INTERNAL_API_KEY.length < SHORTEST_INTERNAL_KEY;
  return weak
    ? [...issues, { setting: 'INTERNAL_API_KEY', message: 'must have at least 16 characters in production' }]
    : issues;
}

/** Roles that share the work are checked by {@link checkRole}, whatever the environment. */
function checkDatabase({ MONGODB_URI: uri, EMBEDDED_STORE: embedded, ROLE: role }: Settings): ConfigIssue[] {
  const message =
    'is required in production; EMBEDDED_STORE=allow runs it on the embedded store, which is meant for development';
  return uri === undefined && embedded === undefined && role === 'all'
    ? [{ setting: 'MONGODB_URI', message }]
    : [];
}

/**
 * The database's address is no secret by itself. Former keys may be weak: they are there to be replaced. A provider makes the
 * secrets of its clients.
 */
const NO_KEYS: readonly string[] = [
  'MONGODB_URI',
  'ENCRYPTION_KEY_PREVIOUS',
  'INTERNAL_TOKEN_KEY_PREVIOUS',
  'PLATFORM_SIGN_IN_CLIENT_SECRET',
  'SMTP_URL',
];

/** Every secret of ours must be more than one repeated character, whatever its case. */
function checkGuessable(settings: Settings): ConfigIssue[] {
  return keysOf(SETTINGS)
    .filter(
      (name) => isSecret(name) && !NO_KEYS.includes(name) && /^(.)\1*$/is.test(String(settings[name] ?? '')),
    )
    .map((setting) => ({
      setting,
      message: 'is one character repeated: production needs a random one, such as of openssl rand -hex 32',
    }));
}

/** Whether processes of this role authenticate each other by tokens. */
function usesTokens(role: Role): boolean {
  return role === 'gateway' || role.startsWith('subgraph-');
}

/** The key of tokens must be no other secret: everyone who may sign tokens, even a foreign gateway, knows it. */
function checkTokenKey(settings: Partial<Settings>): ConfigIssue[] {
  const { NODE_ENV: environment, ROLE: role, INTERNAL_TOKEN_KEY: key } = settings;
  const issue = (message: string) => [{ setting: 'INTERNAL_TOKEN_KEY', message }];
  if (key === undefined) {
    const required = environment === 'production' && role !== undefined && usesTokens(role);
    return required ? issue(`is required in production for ROLE=${role}`) : [];
  }
  const same = SECRET_NAMES.find((name) => settings[name]?.toLowerCase() === key.toLowerCase());
  return same === undefined ? [] : issue(`must be another value than ${same}`);
}
