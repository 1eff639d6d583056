import { type Environment, environmentOf } from '../kernel/account.ts';
import type { Alongside } from '../kernel/database/unit-of-work.ts';
import type { Result } from '../kernel/errors/result.ts';
import { PARTNER_SCOPES, type Principal, type Scope } from '../kernel/principal.ts';
import type { Tenant, Tenants } from '../partners/tenants/service.ts';
import { newWebhookSecret } from '../webhooks/endpoint-rules.ts';
import type { PartnerEndpoints } from '../webhooks/partner-endpoints.ts';
import { type PreQuoteDeps, type PreQuoteResult, preQuote } from './use-cases/pre-quote.ts';
import {
  toWebhookConfig,
  updateWebhookConfig,
  type WebhookConfig,
  type WebhookConfigChange,
  type WebhookConfigInput,
} from './use-cases/update-webhook-config.ts';

/** The caller, and what its key may do. */
export interface PartnerRecord {
  readonly partnerId: string;
  readonly name: string;
  readonly environment: Environment;
  readonly scopes: readonly Scope[];
  readonly features: readonly string[];
  readonly flows: readonly string[];
}

/** A partner's own account (document 3, decisions section 4). */
export interface PartnerService {
  me(principal: Principal): Promise<PartnerRecord>;
  webhookConfig(principal: Principal): Promise<WebhookConfig>;
  /**
   * Replaces the signing secret and returns the new one, only this once. Stored deliveries keep the old secret; new ones are
   * signed with the new secret at once in this process, within 2 s in others.
   */
  regenerateWebhookSecret(principal: Principal, alongside?: Alongside): Promise<string>;
  /** Failures: INVALID_REQUEST for each issue. */
  updateWebhookConfig(
    principal: Principal,
    input: WebhookConfigInput,
    alongside?: Alongside,
  ): Promise<Result<WebhookConfigChange>>;
  /** Failures: RATE_LIMITED, INVALID_REQUEST for each issue, ROUTE_NOT_AVAILABLE. */
  preQuote(principal: Principal, body: unknown): Promise<PreQuoteResult>;
}

interface PartnerDeps extends PreQuoteDeps {
  tenants: Pick<Tenants, 'find' | 'routes' | 'fxRate' | 'changeWebhooks' | 'endpoints'>;
  endpoints: Pick<PartnerEndpoints, 'move'>;
}

export function createPartnerService(deps: PartnerDeps): PartnerService {
  const { tenants } = deps;
  return {
    me: async (principal) => toPartner(principal, await ownTenant(tenants, principal)),
    webhookConfig: async (principal) => toWebhookConfig(await ownTenant(tenants, principal)),
    regenerateWebhookSecret: async ({ accountId }, alongside) => {
      const secret = newWebhookSecret();
      if (!(await tenants.changeWebhooks(accountId, { secret }, alongside))) {
        throw new TypeError(`There is no tenant ${accountId}`);
      }
      return secret;
    },
    updateWebhookConfig: ({ accountId }, ...args) => updateWebhookConfig(deps, accountId, ...args),
    preQuote: (principal, body) => preQuote(deps, principal, body),
  };
}

async function ownTenant(tenants: Pick<Tenants, 'find'>, { accountId }: Principal): Promise<Tenant> {
  const tenant = await tenants.find(accountId);
  if (!tenant) {
    throw new TypeError(`There is no tenant ${accountId}`);
  }
  return tenant;
}

function toPartner({ accountId, scopes }: Principal, tenant: Tenant): PartnerRecord {
  const { tenantId: partnerId, name, features, flows } = tenant;
  const granted = PARTNER_SCOPES.filter((scope) => scopes.includes(scope));
  return { partnerId, name, environment: environmentOf(accountId), scopes: granted, features, flows };
}
