import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type AccountId, accountOf, ENVIRONMENTS } from '../../kernel/account.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { messageOf } from '../../kernel/errors/thrown.ts';
import type { Logger } from '../../kernel/log/log.ts';
import { keysOf, withoutUndefined } from '../../kernel/objects.ts';
import { parseUrl } from '../../kernel/parse-url.ts';
import { findNameIssue } from '../../kernel/person/name.ts';
import { PARTNER_SCOPES } from '../../kernel/principal.ts';
import { findTextIssue, isUsableSecret } from '../../kernel/text.ts';
import { DEFAULT_EVENTS, webhookEventNamed } from '../../webhook-events/catalogue.ts';
import type { ApiKeys } from '../keys/service.ts';
import { FOUR_EYES_ACTS, withKeys } from './four-eyes.ts';
import { operationalEventsSchema } from './operational-events.ts';
import { rateLimitsSchema } from './rate-limits.ts';
import { LONGEST_RECEIVER_URL, normalizeReceiverUrl } from './receiver-url.ts';
import { country, currency, decimal, fxRateSchema, routeSchema } from './route-schema.ts';
import type { FxRate, Route, TenantInput, Tenants } from './service.ts';
import { signInSchema } from './sign-in.ts';
import { WEBHOOK_ORDERINGS } from './webhook-ordering.ts';

const NAME_RULE = 'must have a visible character, and no control characters';
const texts = z.array(z.string()).default([]);
const httpsUrl = z.string().transform((text, context) => {
  const url = text === '' ? text : normalizeReceiverUrl(text);
  if (url === undefined) {
    context.addIssue(`must be an HTTPS URL of at most ${LONGEST_RECEIVER_URL} characters`);
    return z.NEVER;
  }
  return url;
});
const name = z.string().refine((value) => findNameIssue(value) === undefined, NAME_RULE);
const text = z
  .string()
  .refine((value) => findTextIssue(value) === undefined, 'must not have control characters');
const baseUrl = text.refine(isWebUrl, 'must be an HTTP or HTTPS URL');
const secret = z
  .string()
  .refine(isUsableSecret, 'must not have control characters, or a space at either end');

/** A misspelled event would never be sent, and nobody would know. */
const event = z.string().refine((one) => webhookEventNamed(one) !== undefined, {
  error: ({ input }) => `must be the name of an event, not ${JSON.stringify(input)}`,
});

/** The form of a tenant's id, which is a part of keys, paths, log lines, and contexts of sealed values. */
export const TENANT_ID = /^[A-Za-z0-9_-]{1,64}$/;
const TENANT_ID_RULE = 'must be 1 to 64 letters, digits, _ and -';

/** The values that a partner may have for one environment alone (decisions, section 8, "Configuration"). */
const configuration = {
  landingBaseUrl: baseUrl.optional(),
  messagingBaseUrl: baseUrl.optional(),
  messageTemplate: text.optional(),
  widgetBaseUrl: baseUrl.optional(),
  attributionBaseUrl: baseUrl.optional(),
  webhookUrl: httpsUrl.optional(),
  webhookSecret: secret.min(8, 'must have at least 8 characters').optional(),
  webhookEvents: z.array(event).optional(),
  webhookOrdering: z.enum(WEBHOOK_ORDERINGS).optional(),
  operationStatusHook: httpsUrl.optional(),
  sharedSecret: secret.min(1).optional(),
  signIn: signInSchema.optional(),
  operationalEvents: operationalEventsSchema.optional(),
  rateLimits: rateLimitsSchema.optional(),
};
/** The names of these values. */
export const CONFIGURATION = keysOf(configuration);

const tenantSchema = z.strictObject({
  tenantId: z.string().regex(TENANT_ID, TENANT_ID_RULE),
  name,
  country: country.optional(),
  defaultCurrency: currency.optional(),
  countries: z.array(country).default([]),
  dialCodes: z.array(z.string().regex(/^\+\d{1,4}$/, 'must be a dial code such as +52')).default([]),
  features: texts,
  flows: texts,
  ...configuration,
  webhookEvents: z.array(event).default([...DEFAULT_EVENTS]),
  sourceCountry: country.optional(),
  fee: z.strictObject({ fixed: decimal.default('0'), percent: decimal.default('0') }).prefault({}),
  mtlsClientCertSha256: texts,
  fourEyes: z.array(z.enum(FOUR_EYES_ACTS)).transform(withKeys).optional(),
  environments: z
    .strictObject({
      sandbox: z.strictObject(configuration).optional(),
      live: z.strictObject(configuration).optional(),
    })
    .optional(),
  apiKeys: z
    .array(
      z.strictObject({
        key: z.string().min(16, 'must have at least 16 characters'),
        scopes: z.array(z.enum(PARTNER_SCOPES)).default(['partner']),
        label: z.literal('').or(name).default(''),
      }),
    )
    .default([]),
});

/** The schema of a `SEED_FILE`; README.md beside this file describes every property. */
export const seedSchema = z.strictObject({
  /** For editors: where `seed.schema.json` is. */
  $schema: z.string().optional(),
  tenants: z.array(tenantSchema).superRefine(requireOneEntry).superRefine(requireOwnKeys).default([]),
  routes: z.array(routeSchema).default([]),
  fxRates: z.array(fxRateSchema).default([]),
});

/** The content of a `SEED_FILE` (decisions, section 1). */
export type Seed = z.output<typeof seedSchema>;

/** The second of two entries would set the tenant to its values alone, without a word. */
function requireOneEntry(
  tenants: readonly Pick<z.output<typeof tenantSchema>, 'tenantId'>[],
  context: z.core.$RefinementCtx,
): void {
  const firsts = new Map<string, number>();
  for (const [index, { tenantId }] of tenants.entries()) {
    const first = firsts.get(tenantId) ?? index;
    firsts.set(tenantId, first);
    if (first !== index) {
      const message = `must not be the tenantId of tenants.${first}, too`;
      context.addIssue({ code: 'custom', path: [index, 'tenantId'], message });
    }
  }
}

/** A key belongs to one tenant: the other one would call in its name. */
function requireOwnKeys(
  tenants: readonly Pick<z.output<typeof tenantSchema>, 'tenantId' | 'apiKeys'>[],
  context: z.core.$RefinementCtx,
): void {
  const owners = new Map<string, string>();
  for (const [index, { tenantId, apiKeys }] of tenants.entries()) {
    for (const [at, { key }] of apiKeys.entries()) {
      const owner = owners.get(key) ?? tenantId;
      owners.set(key, owner);
      if (owner !== tenantId) {
        const path = [index, 'apiKeys', at, 'key'];
        context.addIssue({ code: 'custom', path, message: `must not be a key of ${owner}, too` });
      }
    }
  }
}

/** Links that begin with it are shown to payers: no script and no file may be in them. */
function isWebUrl(value: string): boolean {
  return /^https?:\/\//i.test(value) && parseUrl(value) !== undefined;
}

/** A seed that can't be applied; the message names every issue and where it is. */
class SeedError extends OperatorError {
  override readonly name = 'SeedError';
}

interface SeedDeps {
  tenants: Pick<Tenants, 'find' | 'seed' | 'upsertRoute' | 'seedFxRate'>;
  apiKeys: Pick<ApiKeys, 'keep'>;
  log: Pick<Logger, 'info'>;
  /** Moves the pause of the first endpoint in the transaction that changes its URL; null: it has none any more. */
  movePause: (accountId: AccountId, to: string | null, unit: UnitOfWork) => void;
}

/**
 * Reads a seed file.
 * @throws SeedError that names every issue and where it is
 */
export async function readSeed(path: string): Promise<Seed> {
  const parsed = seedSchema.safeParse(parseJson(path, await readText(path)));
  if (!parsed.success) {
    throw new SeedError(describe(`The seed file ${path} is invalid:`, issuesOf(parsed.error.issues)));
  }
  return parsed.data;
}

/** A partner in the form of a seed file, without its keys. */
type SeedTenant = Omit<Seed['tenants'][number], 'apiKeys'>;

/** The partner in each environment: its values, and over them those of the environment alone. */
export function accountsOf({ tenantId, environments, ...common }: SeedTenant): TenantInput[] {
  return ENVIRONMENTS.map((environment) =>
    withoutUndefined({
      ...common,
      ...withoutUndefined(environments?.[environment] ?? {}),
      accountId: accountOf(tenantId, environment),
    }),
  );
}

/**
 * Checks one tenant in the form of a seed file, its keys left out.
 * @param source a file's path, or the value itself
 * @throws SeedError that names every issue
 */
export async function readSeedTenant(source: unknown): Promise<SeedTenant> {
  const value = typeof source === 'string' ? parseJson(source, await readText(source)) : source;
  const { apiKeys: _, ...tenant } = readOne(tenantSchema, value, 'The tenant is invalid:');
  return tenant;
}

/** Checks one route in the form of a seed file. @throws SeedError that names every issue */
export function readSeedRoute(value: unknown): Route {
  return withoutUndefined(readOne(routeSchema, value, 'The route is invalid:'));
}

/** Checks one rate in the form of a seed file. @throws SeedError that names every issue */
export function readSeedFxRate(value: unknown): FxRate {
  return readOne(fxRateSchema, value, 'The rate is invalid:');
}

function readOne<Schema extends z.ZodType>(schema: Schema, value: unknown, title: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    throw new SeedError(describe(title, issuesOf(parsed.error.issues)));
  }
  return parsed.data;
}

interface SeedIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Every issue with its path; for unknown properties the path of each. */
function issuesOf(issues: readonly z.core.$ZodIssue[]): SeedIssue[] {
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key], message: 'is not a known property' }))
      : [issue],
  );
}

function describe(title: string, issues: readonly SeedIssue[]): string {
  return [title, ...issues.map(({ path, message }) => `  ${path.join('.') || '(root)'}: ${message}`)].join(
    '\n',
  );
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new SeedError(`The seed file ${path} cannot be read: ${messageOf(error)}`);
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The error of JSON.parse may quote the text, which has keys and secrets.
    const reason = messageOf(error).replace(/, (\.\.\.)?".*/s, '');
    throw new SeedError(`The seed file ${path} is not JSON: ${reason}`);
  }
}

/**
 * Sets tenants, keys, routes and rates to the values of the seed, except what partners have changed themselves. Doing it
 * again changes nothing.
 * @throws SeedError for a `webhookUrl` that another endpoint of the tenant has; then nothing is written
 */
export async function applySeed({ tenants, apiKeys, log, movePause }: SeedDeps, seed: Seed): Promise<void> {
  await checkReceivers({ tenants }, seed);
  for (const { apiKeys: keys, ...tenant } of seed.tenants) {
    for (const account of accountsOf(tenant)) {
      await tenants.seed(account, (unit) => movePause(account.accountId, account.webhookUrl || null, unit));
    }
    for (const { key, scopes, label } of keys) {
      await apiKeys.keep(key, { tenantId: tenant.tenantId, scopes, label });
    }
  }
  for (const route of seed.routes) {
    await tenants.upsertRoute(withoutUndefined(route));
  }
  for (const rate of seed.fxRates) {
    await tenants.seedFxRate(rate);
  }
  log.info(
    { tenants: seed.tenants.length, routes: seed.routes.length, fxRates: seed.fxRates.length },
    'seed.applied',
  );
}

/**
 * One URL, one endpoint: the URL of the seed must not be that of another endpoint, which the partner has made since. It does
 * not count where the partner has set its own.
 */
async function checkReceivers({ tenants }: Pick<SeedDeps, 'tenants'>, seed: Seed): Promise<void> {
  const issues: SeedIssue[] = [];
  for (const [index, tenant] of seed.tenants.entries()) {
    for (const { accountId, webhookUrl } of accountsOf(tenant)) {
      const stored = webhookUrl ? await tenants.find(accountId) : undefined;
      const others = stored?.webhookConfiguredAt ? [] : (stored?.webhookEndpoints ?? []);
      const other = others.find(({ url }) => url === webhookUrl);
      if (other) {
        const message = `is the URL of the endpoint ${other.id} of ${accountId} (WEBHOOK_ENDPOINT_EXISTS): delete that endpoint, or leave the URL out`;
        issues.push({ path: ['tenants', index, 'webhookUrl'], message });
      }
    }
  }
  if (issues.length > 0) {
    throw new SeedError(describe('The seed is invalid:', issues));
  }
}
