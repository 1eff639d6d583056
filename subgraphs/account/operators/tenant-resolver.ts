import { Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { createBatchLoader } from '../../graph/batch-loader.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import {
  type EndpointFigures,
  type KeyFigures,
  NO_ENDPOINTS,
  NO_KEYS,
  NO_REMITTANCES,
  NO_WEBHOOKS,
  type RemittanceFigures,
  type TenantFigures,
  type WebhookFigures,
} from './index.ts';
import {
  PlatformTenant,
  PlatformTenantEndpoints,
  PlatformTenantKeys,
  PlatformTenantRemittances,
  PlatformTenantWebhooks,
} from './tenant.type.ts';

const AT_MOST = 'At most 15 seconds old; null if counting takes longer than 2 seconds.';

/** The figures of one partner, read with those of all others of the page; null when there is too much to count. */
type Load<Figures> = (context: RequestContext, tenantId: string) => Promise<Figures | null | undefined>;

/** Figures of a partner, read for the whole page at once. */
@Resolver(() => PlatformTenant)
export class PlatformTenantResolver {
  readonly #keys: Load<KeyFigures>;
  readonly #endpoints: Load<EndpointFigures>;
  readonly #webhooks: Load<WebhookFigures>;
  readonly #remittances: Load<RemittanceFigures>;
  readonly #operations: Load<number>;
  readonly #moneyRequests: Load<number>;

  constructor(figures: TenantFigures) {
    this.#keys = loaderOf(figures.keys, NO_KEYS);
    this.#endpoints = loaderOf(figures.endpoints, NO_ENDPOINTS);
    this.#webhooks = loaderOf(figures.webhooks, NO_WEBHOOKS);
    this.#remittances = loaderOf(figures.remittances, NO_REMITTANCES);
    this.#operations = loaderOf(figures.operations, 0);
    this.#moneyRequests = loaderOf(figures.moneyRequests, 0);
  }

  @FieldResolver(() => PlatformTenantKeys, { description: 'Active API keys of the partner.' })
  async keys(@Root() { id }: PlatformTenant, @Ctx() context: RequestContext): Promise<PlatformTenantKeys> {
    return (await this.#keys(context, id)) ?? NO_KEYS;
  }

  @FieldResolver(() => PlatformTenantEndpoints, {
    description: 'Webhook endpoints of the partner, by state.',
  })
  async endpoints(
    @Root() { id, webhookUrls }: PlatformTenant,
    @Ctx() context: RequestContext,
  ): Promise<PlatformTenantEndpoints> {
    const { further, paused, open, halfOpen } = (await this.#endpoints(context, id)) ?? NO_ENDPOINTS;
    return {
      total: further + webhookUrls,
      paused,
      breakerOpen: open,
      breakerHalfOpen: halfOpen,
    };
  }

  @FieldResolver(() => PlatformTenantWebhooks, {
    nullable: true,
    description: `Webhooks of the partner that are not delivered. ${AT_MOST}`,
  })
  async webhooks(
    @Root() { id }: PlatformTenant,
    @Ctx() context: RequestContext,
  ): Promise<PlatformTenantWebhooks | null> {
    return (await this.#webhooks(context, id)) ?? null;
  }

  @FieldResolver(() => PlatformTenantRemittances, {
    nullable: true,
    description: `Remittances of the partner that are in progress. ${AT_MOST}`,
  })
  async remittances(
    @Root() { id }: PlatformTenant,
    @Ctx() context: RequestContext,
  ): Promise<PlatformTenantRemittances | null> {
    return (await this.#remittances(context, id)) ?? null;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: `Number of operations of the partner that have not ended. ${AT_MOST}`,
  })
  async openOperations(
    @Root() { id }: PlatformTenant,
    @Ctx() context: RequestContext,
  ): Promise<number | null> {
    return (await this.#operations(context, id)) ?? null;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: `Number of money requests of the partner that have not ended. ${AT_MOST}`,
  })
  async openMoneyRequests(
    @Root() { id }: PlatformTenant,
    @Ctx() context: RequestContext,
  ): Promise<number | null> {
    return (await this.#moneyRequests(context, id)) ?? null;
  }
}

function loaderOf<Figures>(
  read: (tenantIds: readonly string[]) => Promise<ReadonlyMap<string, Figures> | undefined>,
  none: Figures,
): Load<Figures> {
  return createBatchLoader<Figures | null>(async (_context, tenantIds) => {
    const found = await read(tenantIds);
    return new Map(tenantIds.map((id) => [id, found ? (found.get(id) ?? none) : null]));
  });
}
