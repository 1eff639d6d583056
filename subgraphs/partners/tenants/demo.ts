import { accountOf } from '../../kernel/account.ts';
import type { Logger } from '../../kernel/log/log.ts';
import { PARTNER_SCOPES } from '../../kernel/principal.ts';
import type { ApiKeys } from '../keys/service.ts';
import { applySeed, type Seed } from './seed.ts';
import type { Tenants } from './service.ts';

/** Id of the tenant that an empty database starts with. */
export const DEMO_TENANT_ID = 'demo';

/** The demo tenant, without webhooks and keys, and the routes and rates that it needs. */
export const DEMO_SEED: Seed = {
  tenants: [
    {
      tenantId: DEMO_TENANT_ID,
      name: 'Demo Partner',
      country: 'MX',
      defaultCurrency: 'MXN',
      countries: ['MX', 'US'],
      dialCodes: ['+52', '+1'],
      features: ['request-money'],
      flows: ['cip', 'transfer', 'request_money'],
      landingBaseUrl: 'https://pay.demo.test/r',
      messagingBaseUrl: 'https://wa.me/',
      messageTemplate: '{name} asks you for {amount} {currency}: {link}',
      widgetBaseUrl: 'https://widget.demo.test',
      attributionBaseUrl: 'https://demo.test/t',
      webhookEvents: ['operation_created', 'operation_updated', 'operation_error'],
      sourceCountry: 'US',
      fee: { fixed: '0', percent: '0' },
      mtlsClientCertSha256: [],
      apiKeys: [],
    },
  ],
  routes: [
    {
      sourceCountry: 'US',
      destinationCountry: 'MX',
      destinationCurrency: 'MXN',
      payoutType: 'bank_account',
      payerCode: 'MXSPEI',
      states: { CDMX: 'DIF', JAL: 'JAL', NLE: 'NLE' },
      minAmount: '10',
      maxAmount: '50000',
    },
    {
      sourceCountry: 'US',
      destinationCountry: 'MX',
      destinationCurrency: 'MXN',
      payoutType: 'card',
      payerCode: 'MXCARD',
      minAmount: '10',
      maxAmount: '20000',
    },
    {
      sourceCountry: 'US',
      destinationCountry: 'MX',
      destinationCurrency: 'MXN',
      payoutType: 'cash',
      payerCode: null,
      minAmount: '50',
      maxAmount: '10000',
    },
  ],
  fxRates: [{ source: 'USD', destination: 'MXN', rate: '18.25' }],
};

interface DemoDeps {
  tenants: Pick<Tenants, 'environments' | 'find' | 'isEmpty' | 'seed' | 'upsertRoute' | 'seedFxRate'>;
  apiKeys: Pick<ApiKeys, 'keep' | 'create'>;
  log: Logger;
}

/**
 * Gives an empty database a demo tenant with a few routes (decisions, section 1).
 * @returns its key of the first environment that is served, to be shown once; undefined when there were tenants already
 */
export async function seedDemoTenant(deps: DemoDeps): Promise<string | undefined> {
  if (!(await deps.tenants.isEmpty())) {
    return undefined;
  }
  await applySeed({ ...deps, movePause: () => undefined }, DEMO_SEED);
  const [environment = 'sandbox'] = deps.tenants.environments;
  const { key } = await deps.apiKeys.create({
    accountId: accountOf(DEMO_TENANT_ID, environment),
    scopes: [...PARTNER_SCOPES],
    label: 'demo',
  });
  return key;
}
