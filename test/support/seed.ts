/** API keys of the seed, by what they are good for. Contract fixtures name them literally. */
export const KEYS = {
  acme: 'raas_sandbox_acme_full',
  acmeLive: 'raas_live_acme_full_01',
  /** A key of acme that holds no scope at all. */
  acmeBare: 'raas_sandbox_acme_bare',
  /** A key of acme without the scope `partner`. */
  acmeWithoutPartner: 'raas_sandbox_acme_admin',
  /** Stored, then revoked: see {@link REVOKED_LABEL}. */
  acmeRevoked: 'raas_sandbox_acme_gone',
  globex: 'raas_sandbox_globex_full',
  initech: 'raas_sandbox_initech_full',
  umbrella: 'raas_sandbox_umbrella_full',
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
 * and for more keys. Globex is a second tenant that hears every event and has no messaging configuration, initech
 * lacks the feature `request-money`, umbrella has no source country.
 * @param hookBase where the partners' receiver listens, such as `https://127.0.0.1:9443`
 */
export function seedFor(hookBase: string): object {
  return {
    tenants: [acme(hookBase), globex(hookBase), initech(hookBase), umbrella(hookBase)],
    routes: ROUTES,
    fxRates: [{ source: 'USD', destination: 'MXN', rate: '18.25' }],
  };
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
    apiKeys: [{ key: KEYS.umbrella, scopes: ['partner'], label: 'all' }],
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
];
