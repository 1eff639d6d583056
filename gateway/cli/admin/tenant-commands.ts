// Not by its index.ts, which loads the graph: the commands start in half the time without it.

import { commandLine } from '../../../subgraphs/kernel/command-line.ts';
import { currencyOfCountry } from '../../../subgraphs/kernel/money/iso.ts';
import { withoutUndefined } from '../../../subgraphs/kernel/objects.ts';
import { dialCodeOf } from '../../../subgraphs/kernel/person/phone.ts';
import { LINK_FLOWS } from '../../../subgraphs/links/link.ts';
import { readSeedTenant } from '../../../subgraphs/partners/tenants/seed.ts';
import type { Tenant } from '../../../subgraphs/partners/tenants/service.ts';
import { WEBHOOK_EVENTS } from '../../../subgraphs/partners/tenants/webhook-events.ts';
import {
  WEBHOOK_ORDERINGS,
  type WebhookOrdering,
} from '../../../subgraphs/partners/tenants/webhook-ordering.ts';
import { maskCredentials } from '../../../subgraphs/webhooks/masked-headers.ts';
import {
  type AdminDeps,
  type Answer,
  type Command,
  existingTenant,
  listOf,
  type Option,
  optionWith,
  requiredText,
  requireKnown,
  textOf,
  UsageError,
  type Values,
} from './command.ts';
import { nextSteps } from './readiness.ts';

const FEATURES = ['request-money'];
const ID = optionWith('ID', 'The tenant: letters, digits, _ and -.');

/** The options of a tenant. */
const SETTINGS: Readonly<Record<string, Option>> = {
  name: optionWith('NAME', 'Name of the partner.'),
  country: optionWith('CC', 'Country that users are paid out in, ISO 3166-1 alpha-2.'),
  currency: optionWith('CUR', "That they are paid in; by default the country's."),
  countries: optionWith('CC,…', 'Countries that requesters may live in; by default the country.'),
  'source-country': optionWith('CC', 'Country that payers pay from.'),
  'dial-codes': optionWith('+N,…', "Of payers' phones; by default those of both countries."),
  features: optionWith('a,b', `Of ${FEATURES.join(', ')}; by default none.`),
  flows: optionWith('a,b', `Of ${LINK_FLOWS.join(', ')}; by default all.`),
  site: optionWith('URL', 'Begins all links; by default PUBLIC_URL. Sets the three that follow.'),
  'landing-base-url': optionWith('URL', 'Where payers land; by default SITE/r.'),
  'widget-base-url': optionWith('URL', 'Of the payer widget; by default SITE.'),
  'attribution-base-url': optionWith('URL', 'Of tracking links; by default SITE/t.'),
  'messaging-base-url': optionWith('URL', 'Of messaging links; by default https://wa.me/.'),
  'message-template': optionWith('TEXT', 'With {name}, {amount}, {currency} and {link}.'),
  'fee-fixed': optionWith('AMOUNT', "Per transfer, in the payer's currency; by default 0."),
  'fee-percent': optionWith('PERCENT', 'Of what is sent; by default 0.'),
  'webhook-url': optionWith('URL', 'HTTPS URL that receives events.'),
  'webhook-secret': optionWith('SECRET', 'Signs them; 8 characters or more.'),
  'webhook-events': optionWith('a,b', 'Events that it gets; by default the five of document 2.'),
  'webhook-ordering': optionWith('ORDER', `${WEBHOOK_ORDERINGS.join(' or ')}; by default NONE.`),
  'status-hook': optionWith('URL', 'HTTPS URL that receives outcomes of atomic calls.'),
  'shared-secret': optionWith('SECRET', 'Signs these.'),
  'client-certificates': optionWith('SHA256,…', 'The only ones that are let in by mutual TLS.'),
};

const EXAMPLE =
  'tenant create --id acme --name "Acme Pay" --country MX --currency MXN --source-country US --features request-money --site https://pay.acme.example';

export const TENANT_COMMANDS: Readonly<Record<string, Command>> = {
  'tenant create': {
    isAct: true,
    summary: 'Make a tenant',
    options: {
      id: ID,
      ...SETTINGS,
      file: optionWith('FILE', 'One tenant as SEED_FILE has it; instead of all other options.'),
    },
    required: [],
    examples: [EXAMPLE, 'tenant create --file acme.json'],
    run: createTenant,
  },
  'tenant update': {
    isAct: true,
    summary: 'Change what is given of a tenant; an empty value ("") takes a setting away',
    options: { id: ID, ...SETTINGS },
    required: ['id'],
    examples: [
      'tenant update --id acme --dial-codes +52,+1 --flows cip,transfer',
      'tenant update --id acme --webhook-url https://hooks.acme.example/in --webhook-secret whsec_…',
    ],
    run: updateTenant,
  },
  'tenant show': {
    summary: 'All that is set of a tenant, but for its secrets, and what it still needs',
    options: { id: ID },
    required: ['id'],
    examples: ['tenant show --id acme --json'],
    run: async ({ tenants }, values) => {
      const tenant = await existingTenant(tenants, values, 'id');
      return { rows: [showTenant(tenant)], next: await nextSteps(tenants, tenant) };
    },
  },
  'tenant list': {
    summary: 'All tenants',
    options: {},
    required: [],
    examples: ['tenant list'],
    run: async ({ tenants }) => ({ rows: (await tenants.list()).map(summarizeTenant) }),
  },
};

async function createTenant(deps: AdminDeps, values: Values): Promise<Answer> {
  const { tenants } = deps;
  const input = await readSeedTenant(fileOf(values) ?? newTenant(deps, values));
  if (await tenants.find(input.tenantId)) {
    throw new UsageError(`The tenant ${input.tenantId} exists: tenant update changes it.`);
  }
  const tenant = await tenants.upsert(input);
  const steps = await nextSteps(tenants, tenant);
  const isAtHome = tenant.widgetBaseUrl !== undefined && tenant.widgetBaseUrl === deps.publicUrl;
  return {
    rows: [showTenant(tenant)],
    act: { tenantId: tenant.tenantId, subject: tenant.tenantId, after: toState(tenant) },
    note: 'Created.',
    next: isAtHome ? [...steps, linksAtHome(tenant)] : steps,
  };
}

function linksAtHome({ tenantId, widgetBaseUrl }: Tenant): string {
  const update = commandLine('admin', `tenant update --id ${tenantId} --site https://…`);
  return `Its links begin with ${widgetBaseUrl}, this service: ${update}`;
}

function fileOf({ file, ...others }: Values): string | undefined {
  if (file === undefined) {
    return undefined;
  }
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new UsageError(`--file has everything in it: leave --${other} out.`);
  }
  return String(file);
}

/** Makes a tenant from options. Missing values follow from the countries and the site. */
function newTenant({ publicUrl }: AdminDeps, values: Values): object {
  const site = textOf(values, 'site') ?? publicUrl;
  const given = changesOf(values, site);
  const { country, sourceCountry } = given;
  const codes = [country, sourceCountry].map((one) => (one === undefined ? undefined : dialCodeOf(one)));
  const tenant = {
    country,
    defaultCurrency: country === undefined ? undefined : currencyOfCountry(country),
    countries: country === undefined ? [] : [country],
    dialCodes: [...new Set(codes.filter((code) => code !== undefined))],
    flows: [...LINK_FLOWS],
    messagingBaseUrl: 'https://wa.me/',
    messageTemplate: '{name} asks you for {amount} {currency}: {link}',
    ...given,
    tenantId: requiredText(values, 'id'),
    name: requiredText(values, 'name'),
  };
  if (!(given.landingBaseUrl && given.widgetBaseUrl && given.attributionBaseUrl)) {
    throw new UsageError('--site is required where PUBLIC_URL is not set: links begin with it.');
  }
  return tenant;
}

/** The partner may have changed its webhook settings, so this uses the partner's own way to change them. */
async function updateTenant({ tenants }: AdminDeps, values: Values): Promise<Answer> {
  const before = await existingTenant(tenants, values, 'id');
  const all = changesOf(values, textOf(values, 'site'));
  const { webhookUrl, webhookSecret, webhookEvents, webhookOrdering, ...changes } = all;
  const hooks = { webhookUrl, webhookSecret, webhookEvents, webhookOrdering };
  const given = withoutUndefined(hooks);
  if (Object.keys({ ...changes, ...given }).length === 0) {
    throw new UsageError('Name an option to change. See tenant update --help.');
  }
  if (webhookSecret === '') {
    throw new UsageError('--webhook-secret cannot be taken away: without a URL nothing is sent.');
  }
  const { createdAt, updatedAt, webhookSecretRegeneratedAt, webhookConfiguredAt, ...stored } = before;
  const { webhookFormerSecrets, webhookEndpoints, ...settings } = stored;
  const fee = { ...before.fee, ...changes.fee };
  const checked = await readSeedTenant(withoutEmpty({ ...settings, ...changes, fee, ...given }));
  const unchanged = {
    ...checked,
    webhookUrl: before.webhookUrl,
    webhookSecret: before.webhookSecret,
    webhookEvents: before.webhookEvents,
    webhookOrdering: before.webhookOrdering,
  };
  if (Object.keys(given).length > 0) {
    const changed = await tenants.changeWebhooks(before.tenantId, {
      ...(webhookSecret === undefined ? {} : { secret: webhookSecret }),
      ...(webhookUrl === undefined ? {} : { url: checked.webhookUrl || null }),
      ...(webhookEvents === undefined ? {} : { events: webhookEvents }),
      ...(webhookOrdering === undefined ? {} : { ordering: orderingOf(webhookOrdering) }),
    });
    requireFreeUrl(changed);
  }
  // It keeps what was changed so.
  const tenant = await tenants.seed(withoutUndefined(unchanged));
  return {
    rows: [showTenant(tenant)],
    act: {
      tenantId: tenant.tenantId,
      subject: tenant.tenantId,
      ...changedState(before, tenant, changes, given),
    },
    note: 'Changed; in force everywhere within 2 seconds. A SEED_FILE that has this tenant sets it back at the next start.',
    next: await nextSteps(tenants, tenant),
  };
}

/** @throws UsageError when a further endpoint of the tenant has the URL: then nothing has changed */
function requireFreeUrl(changed: Awaited<ReturnType<AdminDeps['tenants']['changeWebhooks']>>): void {
  if (changed?.ok === false) {
    throw new UsageError('--webhook-url is the URL of another endpoint of this tenant.');
  }
}

/** The options by the names of a seed file. @throws UsageError for unknown values */
function changesOf(values: Values, site: string | undefined) {
  const flows = listOf(values, 'flows');
  const features = listOf(values, 'features');
  const webhookEvents = listOf(values, 'webhook-events');
  requireKnown('flows', flows, LINK_FLOWS);
  requireKnown('features', features, FEATURES);
  requireKnown('webhook-events', webhookEvents, WEBHOOK_EVENTS);
  const webhookOrdering = textOf(values, 'webhook-ordering');
  requireKnown('webhook-ordering', webhookOrdering ? [webhookOrdering] : [], WEBHOOK_ORDERINGS);
  const base = site === undefined ? undefined : baseOf('site', site);
  const fixed = textOf(values, 'fee-fixed');
  const percent = textOf(values, 'fee-percent');
  return withoutUndefined({
    name: textOf(values, 'name'),
    country: textOf(values, 'country'),
    defaultCurrency: textOf(values, 'currency'),
    countries: listOf(values, 'countries'),
    sourceCountry: textOf(values, 'source-country'),
    dialCodes: listOf(values, 'dial-codes'),
    features,
    flows,
    landingBaseUrl: urlOf(values, 'landing-base-url') ?? (base && `${base}/r`),
    widgetBaseUrl: urlOf(values, 'widget-base-url') ?? base,
    attributionBaseUrl: urlOf(values, 'attribution-base-url') ?? (base && `${base}/t`),
    messagingBaseUrl: urlOf(values, 'messaging-base-url'),
    messageTemplate: textOf(values, 'message-template'),
    fee: fixed === undefined && percent === undefined ? undefined : withoutUndefined({ fixed, percent }),
    webhookUrl: textOf(values, 'webhook-url'),
    webhookSecret: textOf(values, 'webhook-secret'),
    webhookEvents,
    webhookOrdering,
    operationStatusHook: textOf(values, 'status-hook'),
    sharedSecret: textOf(values, 'shared-secret'),
    mtlsClientCertSha256: listOf(values, 'client-certificates'),
  });
}

/** An empty text restores the default; other invalid values have been rejected before. */
function orderingOf(given: string): WebhookOrdering {
  return WEBHOOK_ORDERINGS.find((one) => one === given) ?? 'NONE';
}

function urlOf(values: Values, name: string): string | undefined {
  const given = textOf(values, name);
  return given === undefined || given === '' ? given : requireUrl(name, given);
}

function baseOf(name: string, url: string): string {
  return requireUrl(name, url).replace(/\/+$/, '');
}

function requireUrl(name: string, given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!(url && ['http:', 'https:'].includes(url.protocol))) {
    throw new UsageError(`--${name} must be an HTTP URL.`);
  }
  return given;
}

/** An empty text removes a setting. */
function withoutEmpty(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== ''));
}

function summarizeTenant({ tenantId, name, country, defaultCurrency, features, flows, createdAt }: Tenant) {
  return { tenantId, name, country, defaultCurrency, features, flows, createdAt };
}

/** A tenant as the operators' log keeps it: no secret, and no credentials in URLs. */
function toState(tenant: Tenant): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(showTenant(tenant))
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? maskCredentials(value) : value]),
  );
}

/** The settings that a change was asked for, before and after it; secrets are named only. */
function changedState(before: Tenant, after: Tenant, ...given: readonly object[]) {
  const [was, is] = [toState(before), toState(after)];
  const isSame = (name: string) => JSON.stringify(was[name]) === JSON.stringify(is[name]);
  const names = Object.keys({ ...was, ...is }).filter((name) => name !== 'updatedAt' && !isSame(name));
  const state = (of: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(names.map((name) => [name, of[name] ?? null]));
  const secrets = given.flatMap(Object.keys).filter((name) => name.endsWith('Secret'));
  return {
    before: state(was),
    after: { ...state(is), ...(secrets.length > 0 && { changedSecrets: secrets }) },
  };
}

function showTenant({ webhookSecret, webhookFormerSecrets, webhookEndpoints, ...tenant }: Tenant) {
  const { sharedSecret, fee, tenantId, name, ...rest } = tenant;
  return {
    tenantId,
    name,
    ...rest,
    feeFixed: fee.fixed,
    feePercent: fee.percent,
    furtherWebhookUrls: (webhookEndpoints ?? []).map(({ url }) => url),
    hasWebhookSecret: webhookSecret !== undefined,
    hasSharedSecret: sharedSecret !== undefined,
  };
}
