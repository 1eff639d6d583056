// Not by its index.ts, which loads the graph: the commands start in half the time without it.

import { partsOf } from '../../../subgraphs/kernel/account.ts';
import { commandLine } from '../../../subgraphs/kernel/command-line.ts';
import type { UnitOfWork } from '../../../subgraphs/kernel/database/unit-of-work.ts';
import { succeed } from '../../../subgraphs/kernel/errors/result.ts';
import { currencyOfCountry } from '../../../subgraphs/kernel/money/iso.ts';
import { withoutUndefined } from '../../../subgraphs/kernel/objects.ts';
import { dialCodeOf } from '../../../subgraphs/kernel/person/phone.ts';
import { LINK_FLOWS } from '../../../subgraphs/links/link.ts';
import { FIRST } from '../../../subgraphs/partners/tenants/endpoint-store.ts';
import { NO_OPERATIONAL_EVENTS } from '../../../subgraphs/partners/tenants/operational-events.ts';
import { accountsOf, CONFIGURATION, readSeedTenant } from '../../../subgraphs/partners/tenants/seed.ts';
import type { Tenant, TenantInput } from '../../../subgraphs/partners/tenants/service.ts';
import type { Act } from './acts.ts';
import {
  type AdminDeps,
  type Answer,
  type Command,
  ENVIRONMENT_OPTIONS,
  existingAccounts,
  existingTenant,
  optionWith,
  requiredText,
  textOf,
  UsageError,
  type Values,
} from './command.ts';
import { nextSteps } from './readiness.ts';
import { showTenant, summarizeTenant, toState } from './tenant-rows.ts';
import { changesOf, orderingOf, SETTINGS } from './tenant-settings.ts';

const ID = optionWith('ID', 'The tenant: letters, digits, _ and -.');

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
    summary:
      'Change settings of a tenant, by default in both environments; an empty value ("") removes a setting',
    options: { id: ID, ...ENVIRONMENT_OPTIONS, ...SETTINGS },
    required: ['id'],
    examples: [
      'tenant update --id acme --dial-codes +52,+1 --flows cip,transfer',
      'tenant update --id acme --webhook-url https://hooks.acme.example/in --webhook-secret whsec_…',
    ],
    run: updateTenant,
  },
  'tenant show': {
    summary: 'All that is set of a tenant, but for its secrets, and what it still needs',
    options: { id: ID, ...ENVIRONMENT_OPTIONS },
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
    run: async ({ tenants }) => ({
      rows: (await tenants.list()).filter(({ environment }) => environment === 'live').map(summarizeTenant),
    }),
  },
};

async function createTenant(deps: AdminDeps, values: Values): Promise<Answer> {
  const { tenants } = deps;
  const input = await readSeedTenant(fileOf(values) ?? newTenant(deps, values));
  const [first, ...others] = accountsOf(input);
  if (!first || (await tenants.findStored(first.accountId))) {
    throw new UsageError(`The tenant ${input.tenantId} exists: tenant update changes it.`);
  }
  const tenant = await tenants.upsert(first);
  for (const account of others) {
    await tenants.upsert(account);
  }
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
async function updateTenant(deps: AdminDeps, values: Values): Promise<Answer> {
  const { tenants } = deps;
  const accounts = await existingAccounts(tenants, values, 'id');
  const changes = changesOf(values, textOf(values, 'site'));
  requireChanges(changes, accounts);
  const updated: Updated[] = [];
  for (const before of accounts) {
    updated.push({ before, after: await update(deps, before, changes) });
  }
  const [first] = updated;
  return {
    rows: updated.map(({ after }) => showTenant(after)),
    act: actOf(updated, changes),
    note: 'Changed; in force everywhere within 2 seconds. A SEED_FILE that has this tenant sets it back at the next start.',
    next: first ? await nextSteps(tenants, first.after) : [],
  };
}

/** An account of the tenant before and after the change. */
interface Updated {
  readonly before: Tenant;
  readonly after: Tenant;
}

type Changes = ReturnType<typeof changesOf>;

/** @throws UsageError without a change, and for one that one environment alone cannot have */
function requireChanges(changes: Changes, accounts: readonly Tenant[]): void {
  const names = Object.keys(changes);
  if (names.length === 0) {
    throw new UsageError('Name an option to change. See tenant update --help.');
  }
  if (changes.webhookSecret === '') {
    throw new UsageError('--webhook-secret cannot be taken away: without a URL nothing is sent.');
  }
  const configuration: readonly string[] = CONFIGURATION;
  const shared = names.filter((name) => !configuration.includes(name));
  if (accounts.length === 1 && shared.length > 0) {
    throw new UsageError(
      `Both environments have the same ${shared.join(', ')}: leave --sandbox and --live out.`,
    );
  }
}

/** The values of an account after the changes. @throws SeedError for invalid ones */
async function changed(before: Tenant, { fee, ...changes }: Changes): Promise<TenantInput> {
  const { createdAt, updatedAt, webhookSecretRegeneratedAt, webhookConfiguredAt, ...others } = before;
  const { operationalEventsConfiguredAt, ...stored } = others;
  const { webhookFormerSecrets, webhookSignatureScheme, webhookHeaders, webhookEndpoints, ...kept } = stored;
  const { accountId, environment, webhookEventVersion, ...settings } = kept;
  const all = { ...settings, ...changes, fee: { ...before.fee, ...fee } };
  const { tenantId: _, environments: __, ...checked } = await readSeedTenant(withoutEmpty(all));
  return withoutUndefined({ ...checked, accountId });
}

/** @throws UsageError when a further endpoint of the tenant has the URL, or the scheme cannot sign with the secret: then the transaction of the command changes nothing */
async function update({ tenants, webhooks }: AdminDeps, before: Tenant, changes: Changes): Promise<Tenant> {
  const { webhookUrl, webhookSecret, webhookEvents, webhookOrdering } = changes;
  const input = await changed(before, changes);
  const change = withoutUndefined({
    secret: webhookSecret,
    url: webhookUrl === undefined ? undefined : input.webhookUrl || null,
    events: webhookEvents,
    ordering: webhookOrdering === undefined ? undefined : orderingOf(webhookOrdering),
  });
  const isChange = Object.keys(change).length > 0;
  const { accountId } = input;
  const movePause = (unit: UnitOfWork) => {
    if (change.url !== undefined) {
      webhooks.endpoints.move(accountId, FIRST, change.url, unit);
    }
  };
  const done = isChange ? await tenants.changeWebhooks(accountId, change, movePause) : undefined;
  if (done?.ok === false) {
    const [failure] = done.failures;
    throw new UsageError(
      failure?.code === 'WEBHOOK_ENDPOINT_EXISTS'
        ? '--webhook-url is the URL of another endpoint of this tenant.'
        : `--webhook-secret: ${failure?.message}.`,
    );
  }
  if (changes.operationalEvents !== undefined) {
    const receivers = input.operationalEvents ?? NO_OPERATIONAL_EVENTS;
    await tenants.changeOperationalEvents(accountId, () => succeed(receivers));
  }
  // It keeps the values that `changeWebhooks` and `changeOperationalEvents` have stored.
  return tenants.seed(
    withoutUndefined({
      ...input,
      webhookUrl: before.webhookUrl,
      webhookSecret: before.webhookSecret,
      webhookEvents: before.webhookEvents,
      webhookOrdering: before.webhookOrdering,
    }),
  );
}

/** An empty text removes a setting. */
function withoutEmpty(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== ''));
}

/** The change for the operators' log: of one environment, or of both by their names. */
function actOf(updated: readonly Updated[], changes: Changes): Act {
  const states = updated.map(({ before, after }) => ({
    ...partsOf(after.accountId),
    ...changedState(before, after, changes),
  }));
  const [first, second] = states;
  if (!first) {
    throw new TypeError('A tenant has an account');
  }
  const { tenantId } = first;
  if (!second) {
    return { ...first, subject: tenantId };
  }
  const byEnvironment = (state: 'before' | 'after') =>
    Object.fromEntries(states.map((one) => [one.environment, one[state]]));
  return { tenantId, subject: tenantId, before: byEnvironment('before'), after: byEnvironment('after') };
}

/** The settings that a change was asked for, before and after it; secrets are named only. */
function changedState(before: Tenant, after: Tenant, changes: Changes) {
  const [was, is] = [toState(before), toState(after)];
  const isSame = (name: string) => JSON.stringify(was[name]) === JSON.stringify(is[name]);
  const names = Object.keys({ ...was, ...is }).filter((name) => name !== 'updatedAt' && !isSame(name));
  const state = (of: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(names.map((name) => [name, of[name] ?? null]));
  const secrets = Object.keys(changes).filter(
    (name) => name.endsWith('Secret') || name === 'signIn' || name === 'operationalEvents',
  );
  return {
    before: state(was),
    after: { ...state(is), ...(secrets.length > 0 && { changedSecrets: secrets }) },
  };
}
