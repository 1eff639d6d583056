import { Args, Ctx, FieldResolver, Query, Resolver } from 'type-graphql';
import { authorizePlatform } from '../../platform/graphql/authorize.ts';
import { mapConnection } from '../../platform/graphql/connection.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import type { Logger } from '../../platform/log/log.ts';
import type { Operators, TenantView } from '../../platform/operators/index.ts';
import type { RequestContext } from '../../platform/principal.ts';
import type { ProcessDocument } from '../../platform/processes/model.ts';
import {
  Platform,
  PlatformEvents,
  PlatformJob,
  PlatformLease,
  PlatformProcess,
  PlatformQueue,
} from './platform.type.ts';
import { type PlatformTenant, PlatformTenantArgs, PlatformTenantConnection } from './tenant.type.ts';

export interface PlatformDeps {
  readonly operators: Operators;
  readonly log: Pick<Logger, 'info'>;
}

/** A process that has said nothing for so long is silent, milliseconds: it has missed at least two times. */
const SILENT_AFTER_MS = 90_000;

@Resolver(() => Platform)
export class PlatformResolver {
  readonly #operators: Operators;
  readonly #log: Pick<Logger, 'info'>;

  constructor({ operators, log }: PlatformDeps) {
    this.#operators = operators;
    this.#log = log;
  }

  @RequiresScopes('platform')
  @Query(() => Platform, {
    description:
      "The platform, for its operators alone: in a console session that `remitgraph admin console-link --platform` opens. No partner's key, token or session reads it.",
  })
  platform(@Ctx() context: RequestContext): Platform {
    const { consoleSession } = authorizePlatform(context);
    const { sessionId } = consoleSession;
    this.#log.info({ sessionId, requestId: context.requestId }, 'platform.read');
    return { now: new Date() };
  }

  @FieldResolver(() => PlatformTenantConnection, { description: 'The partners, by their ids.' })
  async tenants(@Args(() => PlatformTenantArgs) page: PlatformTenantArgs): Promise<PlatformTenantConnection> {
    const found = await this.#operators.tenants(page);
    return mapConnection(found, presentTenant, PlatformTenantConnection);
  }

  @FieldResolver(() => [PlatformQueue], { description: 'The queues of all processes, at most 15 s old.' })
  queues(): Promise<PlatformQueue[]> {
    return this.#operators.queues();
  }

  @FieldResolver(() => [PlatformJob], { description: 'Recurring work, by its name.' })
  jobs(): Promise<PlatformJob[]> {
    return this.#operators.jobs();
  }

  @FieldResolver(() => [PlatformLease], { description: 'Leases of all processes, by their names.' })
  leases(): Promise<PlatformLease[]> {
    return this.#operators.leases();
  }

  @FieldResolver(() => PlatformEvents, { description: 'Where the event log stands.' })
  async events(): Promise<PlatformEvents> {
    const { lastSeq, numberedAt, unnumbered, oldestAt, lagMs } = await this.#operators.events();
    return {
      lastPosition: String(lastSeq),
      lastNumberedAt: numberedAt,
      unnumbered,
      oldestUnnumberedAt: oldestAt,
      lagMs,
    };
  }

  @FieldResolver(() => [PlatformProcess], {
    description:
      'The processes that run, with their settings, by role, machine and start; the 200 that were seen last.',
  })
  async processes(): Promise<PlatformProcess[]> {
    const now = Date.now();
    return (await this.#operators.processes()).map((one) => presentProcess(one, now));
  }
}

/** The fields with a resolver of their own are left to it. */
function presentTenant(tenant: TenantView): PlatformTenant {
  return tenant;
}

function presentProcess({ _id: id, ...process }: ProcessDocument, now: number): PlatformProcess {
  return { id, ...process, isSilent: now - process.seenAt.getTime() > SILENT_AFTER_MS };
}
