import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { OperatorError } from '../errors/operator-error.ts';
import type { ApiKeys } from '../keys/service.ts';
import type { Logger } from '../log.ts';
import { isCountry, isCurrency } from '../money/iso.ts';
import type { FxRate, Route, TenantInput, Tenants } from './service.ts';
import { DEFAULT_WEBHOOK_EVENTS } from './webhook-events.ts';

const decimal = z.string().regex(/^\d+(\.\d+)?$/, 'must be a decimal string');
const country = z.string().refine(isCountry, 'must be an ISO 3166-1 alpha-2 code');
const currency = z.string().refine(isCurrency, 'must be an ISO 4217 code');
const texts = z.array(z.string()).default([]);
const httpsUrl = z.url({ protocol: /^https$/, error: 'must be an HTTPS URL' }).or(z.literal(''));

const tenantSchema = z.strictObject({
  // It stands before `|` in ids and in the contexts of what is sealed.
  tenantId: z.string().regex(/^[^|]+$/, 'must have one character at least, and no |'),
  name: z.string().min(1),
  country: country.optional(),
  defaultCurrency: currency.optional(),
  countries: z.array(country).default([]),
  dialCodes: z.array(z.string().regex(/^\+\d{1,4}$/, 'must be a dial code such as +52')).default([]),
  features: texts,
  flows: texts,
  landingBaseUrl: z.string().optional(),
  messagingBaseUrl: z.string().optional(),
  messageTemplate: z.string().optional(),
  widgetBaseUrl: z.string().optional(),
  attributionBaseUrl: z.string().optional(),
  webhookUrl: httpsUrl.optional(),
  webhookSecret: z.string().min(8, 'must have at least 8 characters').optional(),
  webhookEvents: z.array(z.string()).default([...DEFAULT_WEBHOOK_EVENTS]),
  operationStatusHook: httpsUrl.optional(),
  sharedSecret: z.string().min(1).optional(),
  sourceCountry: country.optional(),
  fee: z.strictObject({ fixed: decimal.default('0'), percent: decimal.default('0') }).prefault({}),
  mtlsClientCertSha256: texts,
  apiKeys: z
    .array(
      z.strictObject({
        key: z.string().min(16, 'must have at least 16 characters'),
        scopes: z.array(z.enum(['partner', 'partner_full', 'partner_admin'])).default(['partner']),
        label: z.string().default(''),
      }),
    )
    .default([]),
});

const routeSchema = z.strictObject({
  sourceCountry: country,
  destinationCountry: country,
  destinationCurrency: currency,
  payoutType: z.enum(['bank_account', 'card', 'cash']),
  payerCode: z.string().nullable().default(null),
  states: z.record(z.string(), z.string()).optional(),
  minAmount: decimal.optional(),
  maxAmount: decimal.optional(),
});

const rate = decimal.refine((value) => /[1-9]/.test(value), 'must be over 0');
const fxRateSchema = z.strictObject({ source: currency, destination: currency, rate });

/** What a `SEED_FILE` must be; README.md beside this file has every property. */
export const seedSchema = z.strictObject({
  tenants: z.array(tenantSchema).default([]),
  routes: z.array(routeSchema).default([]),
  fxRates: z.array(fxRateSchema).default([]),
});

/** What a `SEED_FILE` may hold (decisions, section 1). */
export type Seed = z.output<typeof seedSchema>;

/** A seed that can't be applied; the message names every fault and where it is. */
export class SeedError extends OperatorError {
  override readonly name = 'SeedError';
}

interface SeedDeps {
  tenants: Pick<Tenants, 'seed' | 'upsertRoute' | 'upsertFxRate'>;
  apiKeys: Pick<ApiKeys, 'keep'>;
  log: Logger;
}

/**
 * Reads a seed file.
 * @throws SeedError that names every fault and where it is
 */
export async function readSeed(path: string): Promise<Seed> {
  const parsed = seedSchema.safeParse(parseJson(path, await readFile(path, 'utf8')));
  if (!parsed.success) {
    throw new SeedError(describe(`The seed file ${path} has faults:`, parsed.error.issues));
  }
  return parsed.data;
}

/**
 * Checks one tenant in the form of a seed file, its keys left out.
 * @param source a file's path, or the value itself
 * @throws SeedError that names every fault
 */
export async function readSeedTenant(source: unknown): Promise<TenantInput> {
  const value = typeof source === 'string' ? parseJson(source, await readFile(source, 'utf8')) : source;
  const { apiKeys: _, ...tenant } = readOne(tenantSchema, value, 'The tenant has faults:');
  return tenant as TenantInput;
}

/** Checks one route in the form of a seed file. @throws SeedError that names every fault */
export function readSeedRoute(value: unknown): Route {
  return readOne(routeSchema, value, 'The route has faults:') as Route;
}

/** Checks one rate in the form of a seed file. @throws SeedError that names every fault */
export function readSeedFxRate(value: unknown): FxRate {
  return readOne(fxRateSchema, value, 'The rate has faults:');
}

function readOne<Schema extends z.ZodType>(schema: Schema, value: unknown, title: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    throw new SeedError(describe(title, parsed.error.issues));
  }
  return parsed.data;
}

/** Every fault with its path; of properties that nobody knows, the path of each. */
function describe(title: string, issues: readonly z.core.$ZodIssue[]): string {
  const faults = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key], message: 'is not a known property' }))
      : [issue],
  );
  return [title, ...faults.map(({ path, message }) => `  ${path.join('.') || '(root)'}: ${message}`)].join(
    '\n',
  );
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SeedError(`The seed file ${path} is not JSON: ${(error as Error).message}`);
  }
}

/**
 * Brings tenants, keys, routes and rates to what the seed says, but for what partners have changed themselves. Doing it
 * again changes nothing.
 */
export async function applySeed({ tenants, apiKeys, log }: SeedDeps, seed: Seed): Promise<void> {
  for (const { apiKeys: keys, ...tenant } of seed.tenants) {
    await tenants.seed(tenant as TenantInput);
    for (const { key, scopes, label } of keys) {
      await apiKeys.keep(key, { tenantId: tenant.tenantId, scopes, label });
    }
  }
  for (const route of seed.routes) {
    await tenants.upsertRoute(route as Route);
  }
  for (const rate of seed.fxRates) {
    await tenants.upsertFxRate(rate);
  }
  log.info(
    { tenants: seed.tenants.length, routes: seed.routes.length, fxRates: seed.fxRates.length },
    'seed.applied',
  );
}
