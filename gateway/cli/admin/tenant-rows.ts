import type { Tenant } from '../../../subgraphs/partners/tenants/service.ts';
import { maskCredentials } from '../../../subgraphs/webhooks/masked-headers.ts';

/** A tenant in the list of all. */
export function summarizeTenant({
  tenantId,
  name,
  country,
  defaultCurrency,
  features,
  flows,
  createdAt,
}: Tenant) {
  return { tenantId, name, country, defaultCurrency, features, flows, createdAt };
}

/** A tenant as the operators' log keeps it: no secret, and no credentials in URLs. */
export function toState(tenant: Tenant): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(showTenant(tenant))
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? maskCredentials(value) : value]),
  );
}

/** All that is set of a tenant, but for its secrets. */
export function showTenant({ webhookSecret, webhookFormerSecrets, webhookEndpoints, ...tenant }: Tenant) {
  const { webhookHeaders, sharedSecret, signIn, operationalEvents, fee, accountId, ...others } = tenant;
  const { tenantId, environment, name, ...rest } = others;
  return {
    tenantId,
    environment,
    name,
    ...rest,
    feeFixed: fee.fixed,
    feePercent: fee.percent,
    furtherWebhookUrls: (webhookEndpoints ?? []).map(({ url }) => url),
    ...(webhookHeaders && { webhookHeaderNames: webhookHeaders.map(({ name }) => name) }),
    hasWebhookSecret: webhookSecret !== undefined,
    hasSharedSecret: sharedSecret !== undefined,
    ...(operationalEvents && {
      operationalUrl: operationalEvents.url,
      operationalEmails: operationalEvents.emails.length,
      operationalQuietHours:
        operationalEvents.quietHours &&
        `${operationalEvents.quietHours.from}-${operationalEvents.quietHours.to}`,
      operationalTimeZone: operationalEvents.timeZone,
    }),
    ...(signIn && {
      signInIssuer: signIn.issuer,
      signInClientId: signIn.clientId,
      signInClaim: signIn.claim,
      signInRoles: Object.entries(signIn.roles).map(([value, role]) => `${value}=${role}`),
    }),
  };
}
