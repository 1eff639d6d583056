/** Keys of tenants that one contract case of document 3 has to itself: fixtures name them literally. */
const KEYS = {
  links: 'raas_sandbox_wayne_full',
  /** The other prefix of sandbox keys (document 3, "Authentication"). */
  linksByOldPrefix: 'm2m_test_wayne_00001',
  users: 'raas_sandbox_stark_full',
  operations: 'raas_sandbox_wonka_full',
  nothing: 'raas_sandbox_cyberdyne',
  secret: 'raas_sandbox_tyrell_full',
  secretReadOnly: 'raas_sandbox_tyrell_read',
  quotes: 'raas_sandbox_oscorp_full',
  quoteIssues: 'raas_sandbox_oscorp_faults',
  quoteLimit: 'raas_sandbox_oscorp_limit',
  quoteLimitOther: 'raas_live_oscorp_limit',
} as const;

const ALL_FLOWS = ['cip', 'transfer', 'request_money'];
const admin = (key: string) => ({ key, scopes: ['partner', 'partner_full', 'partner_admin'], label: 'all' });
const plain = (key: string) => ({ key, scopes: ['partner'], label: 'plain' });

/**
 * Tenants of document 3's fixtures whose whole lists, secrets or limits a case looks at, so that no other case may use
 * them: wayne's links, stark's users, wonka's operations, tyrell's secret, oscorp's quotes. Nobody ever writes to cyberdyne.
 */
export const PARTNER_TENANTS: readonly object[] = [
  {
    tenantId: 'wayne',
    name: 'Wayne',
    flows: ALL_FLOWS,
    widgetBaseUrl: 'https://widget.wayne.test',
    apiKeys: [admin(KEYS.links), plain(KEYS.linksByOldPrefix)],
  },
  {
    tenantId: 'stark',
    name: 'Stark',
    country: 'MX',
    countries: ['MX'],
    flows: ALL_FLOWS,
    widgetBaseUrl: 'https://widget.stark.test',
    apiKeys: [admin(KEYS.users)],
  },
  {
    tenantId: 'wonka',
    name: 'Wonka',
    country: 'MX',
    defaultCurrency: 'MXN',
    countries: ['MX'],
    dialCodes: ['+1', '+52'],
    flows: ALL_FLOWS,
    widgetBaseUrl: 'https://widget.wonka.test',
    attributionBaseUrl: 'https://wonka.test/t',
    apiKeys: [admin(KEYS.operations)],
  },
  { tenantId: 'cyberdyne', name: 'Cyberdyne', apiKeys: [plain(KEYS.nothing)] },
  {
    tenantId: 'tyrell',
    name: 'Tyrell',
    webhookUrl: 'https://hooks.tyrell.test/in?v=1',
    webhookSecret: 'whsec_tyrell_0042',
    apiKeys: [admin(KEYS.secret), plain(KEYS.secretReadOnly)],
  },
  {
    tenantId: 'oscorp',
    name: 'Oscorp',
    fee: { fixed: '2.50', percent: '1.5' },
    apiKeys: [KEYS.quotes, KEYS.quoteIssues, KEYS.quoteLimit, KEYS.quoteLimitOther].map(plain),
  },
];

const KEY = new RegExp(Object.values(KEYS).join('|'), 'g');
const TENANT = /(?<="(?:tenantId|partnerId)":")(?:wayne|stark|wonka|cyberdyne|tyrell|oscorp)(?=")/g;

/**
 * A text in which keys and ids of {@link PARTNER_TENANTS} are those of a copy: for cases that are run more than once on one
 * database. Copy 1 is the text itself.
 */
export function ofCopy(nth: number, text: string): string {
  return nth === 1 ? text : text.replaceAll(KEY, `$&_${nth}`).replaceAll(TENANT, `$&-${nth}`);
}

/** Copies of {@link PARTNER_TENANTS}, the first of which is themselves. */
export function partnerTenants(copies: number): readonly object[] {
  const text = JSON.stringify(PARTNER_TENANTS);
  return Array.from({ length: copies }, (_, index) => JSON.parse(ofCopy(index + 1, text)) as object[]).flat();
}
