import { readFileSync } from 'node:fs';
import { isSystemError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { withoutUndefined } from '../../../subgraphs/kernel/objects.ts';
import { parseUrl } from '../../../subgraphs/kernel/parse-url.ts';
import { LINK_FLOWS } from '../../../subgraphs/links/link.ts';
import { FOUR_EYES_ACTS } from '../../../subgraphs/partners/tenants/four-eyes.ts';
import { RATE_LIMITS } from '../../../subgraphs/partners/tenants/rate-limits.ts';
import {
  WEBHOOK_ORDERINGS,
  type WebhookOrdering,
} from '../../../subgraphs/partners/tenants/webhook-ordering.ts';
import { SUBSCRIBABLE_EVENTS } from '../../../subgraphs/webhook-events/catalogue.ts';
import { listOf, type Option, optionWith, requireKnown, textOf, UsageError, type Values } from './command.ts';

const FEATURES = ['request-money'];

/** The options of a tenant. */
export const SETTINGS: Readonly<Record<string, Option>> = {
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
  'four-eyes': optionWith(
    'a,b',
    `Acts that another person, an administrator, approves, of ${FOUR_EYES_ACTS.join(', ')}; CREATE_KEY is always added. By default none.`,
  ),
  'sign-in': optionWith('FILE', 'JSON file of the sign-in by OpenID Connect, as signIn in SEED_FILE.'),
  'operational-events': optionWith(
    'FILE',
    'JSON file of the receivers of operational events, as operationalEvents in SEED_FILE.',
  ),
  'rate-limits': optionWith(
    'NAME=N,…',
    `Calls of one key in 60 seconds, 0 for no limit, of ${RATE_LIMITS.join(', ')}; the others are those of all partners.`,
  ),
  'client-certificates': optionWith('SHA256,…', 'The only ones that are let in by mutual TLS.'),
};

/** The options by the names of a seed file. @throws UsageError for unknown values */
export function changesOf(values: Values, site: string | undefined) {
  const flows = listOf(values, 'flows');
  const features = listOf(values, 'features');
  const webhookEvents = listOf(values, 'webhook-events');
  const fourEyes = listOf(values, 'four-eyes');
  requireKnown('four-eyes', fourEyes, FOUR_EYES_ACTS);
  requireKnown('flows', flows, LINK_FLOWS);
  requireKnown('features', features, FEATURES);
  requireKnown('webhook-events', webhookEvents, SUBSCRIBABLE_EVENTS);
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
    signIn: jsonOf(values, 'sign-in'),
    operationalEvents: jsonOf(values, 'operational-events'),
    rateLimits: rateLimitsOf(values),
    mtlsClientCertSha256: listOf(values, 'client-certificates'),
    fourEyes,
  });
}

/**
 * The content of the file that an option names, unchecked; an empty path is given back. A file, because secrets and addresses would stay in
 * the history of the shell.
 * @throws UsageError for a file that cannot be read, or has no JSON; it shows nothing of the file
 */
export function jsonOf(values: Values, name: string): unknown {
  const file = textOf(values, name);
  if (file === undefined || file === '') {
    return file;
  }
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    // The error of JSON.parse quotes the text, which may be a secret.
    const reason = isSystemError(error) ? `: ${error.message}` : '';
    throw new UsageError(`--${name}: ${file} cannot be read as JSON${reason}`);
  }
}

/**
 * The limits by name; an empty text removes all. A limit without a number becomes NaN, which the check of all settings rejects.
 * @throws UsageError for an unknown limit
 */
function rateLimitsOf(values: Values): Record<string, number> | '' | undefined {
  const given = listOf(values, 'rate-limits');
  if (given === undefined || given.length === 0) {
    return given && '';
  }
  const limits = given.map((one) => /^(?<name>[^=]*)=(?<calls>\d+)$/.exec(one)?.groups ?? { name: one });
  requireKnown(
    'rate-limits',
    limits.map(({ name = '' }) => name),
    RATE_LIMITS,
  );
  return Object.fromEntries(limits.map(({ name = '', calls }) => [name, Number(calls)]));
}

/** An empty text restores the default; other invalid values have been rejected before. */
export function orderingOf(given: string): WebhookOrdering {
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
  const url = parseUrl(given);
  if (!(url && ['http:', 'https:'].includes(url.protocol))) {
    throw new UsageError(`--${name} must be an HTTP URL.`);
  }
  return given;
}
