import { readFileSync, writeFileSync } from 'node:fs';

/** API keys of the seed, by their use. Contract fixtures name them literally. */
export const KEYS = {
  acme: 'raas_sandbox_acme_full',
  /** So short that less than `raas_live_` of it is shown. */
  acmeLive: 'raas_live_acme_full',
  /** A key of acme that holds no scope at all. */
  acmeBare: 'raas_sandbox_acme_bare',
  /** A key of acme without the scope `partner`. */
  acmeWithoutPartner: 'raas_sandbox_acme_admin',
  /** Without `partner_full`. */
  acmeHalf: 'raas_sandbox_acme_half',
  /** With `partner_full` alone. */
  acmeOnlyFull: 'raas_sandbox_acme_only_full',
  /** Stored, then revoked: see {@link REVOKED_LABEL}. */
  acmeRevoked: 'raas_sandbox_acme_gone',
  globex: 'raas_sandbox_globex_full',
  initech: 'raas_sandbox_initech_full',
  umbrella: 'raas_sandbox_umbrella_full',
  hooli: 'raas_sandbox_hooli_full',
  vandelay: 'raas_sandbox_vandelay_full',
  soylent: 'raas_sandbox_soylent_full',
  soylentLive: 'raas_live_soylent_full',
} as const;

/** Label of the key that a deployment revokes in the store before its tests: a seed file cannot. */
export const REVOKED_LABEL = 'revoked';

/** Value of `X-Internal-Key`. */
export const INTERNAL_KEY = 'internal_key_of_tests';

/** Webhook secrets by tenant. */
export const SECRETS: Readonly<Record<string, string>> = {
  acme: 'whsec_acme_0001',
  globex: 'whsec_globex_0002',
  initech: 'whsec_initech_0003',
  umbrella: 'whsec_umbrella_0004',
  soylent: 'whsec_soylent_0005',
  'soylent/live': 'whsec_soylent_0006',
};

/** Shared secrets of outcomes by the path of the status hook; undefined where nothing is signed. */
export const OUTCOME_SECRETS: Readonly<Record<string, string | undefined>> = {
  '/outcome': 'shared_acme_0001',
  '/hooli': 'shared_hooli_0002',
  '/vandelay': undefined,
};

const ALL_EVENTS = [
  'operation_created',
  'operation_updated',
  'operation_error',
  'request_money.created',
  'request_money.failed',
  'operation.processing',
  'operation.completed',
  'operation.rejected',
  'operation.cancelled',
];

/**
 * The seed of the tests: acme is the worked example of decisions, section 1, to the letter, but for its webhook's port
 * and for more keys. Globex is a second tenant that gets every event and has no messaging configuration, initech
 * lacks the feature `request-money`, umbrella has neither country nor source country. Hooli pays out yen and takes a
 * fee, vandelay pays out dinars of three decimals and has a status hook without a secret. Soylent may do all that acme
 * may, in both environments, and gets every event; each environment has hooks and secrets of its own.
 * @param hookBase where the partners' receiver listens, such as `https://127.0.0.1:9443`
 * @param others tenants besides these: each server that starts writes each of them to the store
 */
export function seedFor(hookBase: string, others: readonly object[] = []): object {
  return {
    tenants: [
      ...[acme, globex, initech, umbrella, hooli, vandelay, soylent].map((tenant) => tenant(hookBase)),
      ...others,
    ],
    routes: ROUTES,
    fxRates: [
      { source: 'USD', destination: 'MXN', rate: '18.25' },
      { source: 'USD', destination: 'GTQ', rate: '7.7' },
      { source: 'USD', destination: 'JPY', rate: '150' },
      { source: 'USD', destination: 'BHD', rate: '0.375' },
      { source: 'JPY', destination: 'MXN', rate: '0.12' },
    ],
  };
}

/** Adds tenants to a seed file. */
export function addToSeed(file: string, tenants: readonly object[]): void {
  const seed = JSON.parse(readFileSync(file, 'utf8')) as { tenants: object[] };
  writeFileSync(file, JSON.stringify({ ...seed, tenants: [...seed.tenants, ...tenants] }));
}

function acme(hookBase: string): object {
  return {
    tenantId: 'acme',
    name: 'Acme Pay',
    country: 'MX',
    defaultCurrency: 'MXN',
    countries: ['MX'],
    dialCodes: ['+52', '+1'],
    features: ['request-money'],
    flows: ['cip', 'transfer', 'request_money'],
    landingBaseUrl: 'https://pay.acme.test/r',
    messagingBaseUrl: 'https://wa.me/',
    messageTemplate: '{name} asks you for {amount} {currency}: {link}',
    widgetBaseUrl: 'https://widget.acme.test',
    attributionBaseUrl: 'https://acme.test/t',
    webhookUrl: `${hookBase}/hook`,
    webhookSecret: SECRETS.acme,
    webhookEvents: ['operation_created', 'operation_updated', 'operation_error'],
    operationStatusHook: `${hookBase}/outcome`,
    sharedSecret: 'shared_acme_0001',
    sourceCountry: 'US',
    fee: { fixed: '0', percent: '0' },
    mtlsClientCertSha256: [],
    apiKeys: [
      { key: KEYS.acme, scopes: ['partner', 'partner_full', 'partner_admin'], label: 'demo' },
      { key: KEYS.acmeLive, scopes: ['partner', 'partner_full'], label: 'live' },
      { key: KEYS.acmeBare, scopes: [], label: 'bare' },
      { key: KEYS.acmeWithoutPartner, scopes: ['partner_admin'], label: 'admin only' },
      { key: KEYS.acmeHalf, scopes: ['partner', 'partner_admin'], label: 'half' },
      { key: KEYS.acmeOnlyFull, scopes: ['partner_full'], label: 'full only' },
      { key: KEYS.acmeRevoked, scopes: ['partner'], label: REVOKED_LABEL },
    ],
  };
}

function globex(hookBase: string): object {
  return {
    tenantId: 'globex',
    name: 'Globex',
    country: 'MX',
    defaultCurrency: 'MXN',
    countries: ['MX'],
    features: ['request-money'],
    flows: ['transfer', 'request_money'],
    landingBaseUrl: 'https://globex.test/pay',
    widgetBaseUrl: 'https://widget.globex.test',
    webhookUrl: `${hookBase}/globex`,
    webhookSecret: SECRETS.globex,
    webhookEvents: ALL_EVENTS,
    sourceCountry: 'US',
    apiKeys: [{ key: KEYS.globex, scopes: ['partner', 'partner_full', 'partner_admin'], label: 'all' }],
  };
}

function initech(hookBase: string): object {
  return {
    tenantId: 'initech',
    name: 'Initech',
    country: 'MX',
    features: [],
    flows: ['cip'],
    widgetBaseUrl: 'https://widget.initech.test',
    webhookUrl: `${hookBase}/initech`,
    webhookSecret: SECRETS.initech,
    webhookEvents: ALL_EVENTS,
    sourceCountry: 'US',
    apiKeys: [{ key: KEYS.initech, scopes: ['partner'], label: 'all' }],
  };
}

function umbrella(hookBase: string): object {
  return {
    tenantId: 'umbrella',
    name: 'Umbrella',
    features: ['request-money'],
    landingBaseUrl: 'https://umbrella.test/pay',
    widgetBaseUrl: 'https://widget.umbrella.test',
    webhookUrl: `${hookBase}/umbrella`,
    webhookSecret: SECRETS.umbrella,
    webhookEvents: ALL_EVENTS,
    apiKeys: [{ key: KEYS.umbrella, scopes: ['partner', 'partner_full'], label: 'all' }],
  };
}

function hooli(hookBase: string): object {
  return {
    tenantId: 'hooli',
    name: 'Hooli',
    country: 'JP',
    defaultCurrency: 'JPY',
    countries: ['JP', 'MX'],
    dialCodes: ['+1', '+81'],
    flows: ['request_money'],
    attributionBaseUrl: 'https://hooli.test/go',
    operationStatusHook: `${hookBase}/hooli`,
    sharedSecret: OUTCOME_SECRETS['/hooli'],
    fee: { fixed: '1.25', percent: '2.5' },
    apiKeys: [{ key: KEYS.hooli, scopes: ['partner', 'partner_full'], label: 'all' }],
  };
}

function vandelay(hookBase: string): object {
  return {
    tenantId: 'vandelay',
    name: 'Vandelay',
    country: 'BH',
    defaultCurrency: 'BHD',
    countries: ['BH'],
    dialCodes: ['+1', '+973'],
    flows: ['request_money'],
    attributionBaseUrl: 'https://vandelay.test/t',
    operationStatusHook: `${hookBase}/vandelay`,
    apiKeys: [{ key: KEYS.vandelay, scopes: ['partner', 'partner_full'], label: 'all' }],
  };
}

function soylent(hookBase: string): object {
  return {
    ...acme(hookBase),
    tenantId: 'soylent',
    name: 'Soylent',
    landingBaseUrl: 'https://pay.soylent.test/r',
    widgetBaseUrl: 'https://widget.soylent.test',
    attributionBaseUrl: 'https://soylent.test/t',
    webhookUrl: `${hookBase}/soylent`,
    webhookSecret: SECRETS.soylent,
    webhookEvents: ALL_EVENTS,
    operationStatusHook: `${hookBase}/soylent-outcome`,
    sharedSecret: 'shared_soylent_0003',
    environments: {
      live: {
        webhookUrl: `${hookBase}/live-soylent`,
        webhookSecret: SECRETS['soylent/live'],
        operationStatusHook: `${hookBase}/live-soylent-outcome`,
        sharedSecret: 'shared_soylent_0004',
      },
    },
    apiKeys: [KEYS.soylent, KEYS.soylentLive].map((key) => ({
      key,
      scopes: ['partner', 'partner_full', 'partner_admin'],
      label: 'all',
    })),
  };
}

const ROUTES = [
  {
    sourceCountry: 'US',
    destinationCountry: 'MX',
    destinationCurrency: 'MXN',
    payoutType: 'bank_account',
    payerCode: 'MXSPEI',
    states: { CDMX: 'DIF', JAL: 'JAL' },
    minAmount: '10',
    maxAmount: '50000',
  },
  {
    sourceCountry: 'US',
    destinationCountry: 'MX',
    destinationCurrency: 'MXN',
    payoutType: 'card',
    payerCode: 'MXCARD',
  },
  { sourceCountry: 'US', destinationCountry: 'MX', destinationCurrency: 'MXN', payoutType: 'cash' },
  {
    sourceCountry: 'US',
    destinationCountry: 'GT',
    destinationCurrency: 'GTQ',
    payoutType: 'bank_account',
    payerCode: 'GTBANK',
  },
  {
    sourceCountry: 'US',
    destinationCountry: 'JP',
    destinationCurrency: 'JPY',
    payoutType: 'bank_account',
    payerCode: 'JPZENGIN',
  },
  {
    sourceCountry: 'US',
    destinationCountry: 'BH',
    destinationCurrency: 'BHD',
    payoutType: 'bank_account',
  },
  { sourceCountry: 'JP', destinationCountry: 'MX', destinationCurrency: 'MXN', payoutType: 'bank_account' },
  // No rate leads to its currency, Caribbean guilders.
  { sourceCountry: 'US', destinationCountry: 'CW', destinationCurrency: 'XCG', payoutType: 'bank_account' },
  // No rate leads from its currency, pounds.
  { sourceCountry: 'GB', destinationCountry: 'MX', destinationCurrency: 'MXN', payoutType: 'bank_account' },
];
