import { Args, Ctx, FieldResolver, Query, Resolver } from 'type-graphql';
import { authorizePlatform } from '../../graph/authorize.ts';
import { mapConnection } from '../../graph/connection.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import type { Logger } from '../../kernel/log/log.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { ProcessDocument } from '../../runtime/processes/model.ts';
import { SILENT_AFTER_MS } from '../../runtime/processes/recorder.ts';
import type { Operators, TenantView } from './index.ts';
import {
  Platform,
  PlatformEvents,
  PlatformJob,
  PlatformLease,
  PlatformProcess,
  PlatformQueue,
  PlatformSample,
} from './platform.type.ts';
import { type PlatformTenant, PlatformTenantArgs, PlatformTenantConnection } from './tenant.type.ts';

interface PlatformDeps {
  readonly operators: Operators;
  readonly log: Pick<Logger, 'info'>;
}

@Resolver(() => Platform)
export class PlatformResolver {
  constructor(private readonly deps: PlatformDeps) {}

  @RequiresScopes('platform')
  @Query(() => Platform, {
    description:
      'The platform, visible to its operators only, in a console session that `remitgraph admin console-link --platform` opens. Keys, tokens and sessions of partners cannot read it.',
  })
  platform(@Ctx() context: RequestContext): Platform {
    const { consoleSession } = authorizePlatform(context);
    const { sessionId } = consoleSession;
    this.deps.log.info({ sessionId, requestId: context.requestId }, 'platform.read');
    return { now: this.deps.operators.now() };
  }

  @FieldResolver(() => PlatformTenantConnection, { description: 'Partners.' })
  async tenants(
    @Args(() => PlatformTenantArgs) { order, ...page }: PlatformTenantArgs,
  ): Promise<PlatformTenantConnection> {
    const found = await this.deps.operators.tenants(page, order ?? 'id');
    return mapConnection(found, presentTenant, PlatformTenantConnection);
  }

  @FieldResolver(() => [PlatformQueue], {
    description: 'Queues of work of all processes; the figures are at most 15 seconds old.',
  })
  queues(): Promise<PlatformQueue[]> {
    return this.deps.operators.queues();
  }

  @FieldResolver(() => [PlatformSample], {
    description: 'Queues and event log in the last hour, a sample each minute, oldest first.',
  })
  samples(): Promise<PlatformSample[]> {
    return this.deps.operators.samples.read();
  }

  @FieldResolver(() => [PlatformJob], { description: 'Recurring jobs, ordered by name.' })
  jobs(): Promise<PlatformJob[]> {
    return this.deps.operators.jobs();
  }

  @FieldResolver(() => [PlatformLease], { description: 'Leases of all processes, ordered by name.' })
  leases(): Promise<PlatformLease[]> {
    return this.deps.operators.leases();
  }

  @FieldResolver(() => PlatformEvents, { description: 'State of the event log.' })
  async events(): Promise<PlatformEvents> {
    const { numbered, numberedAt, unnumbered, oldestAt, lagMs, partitions, withoutProcess } =
      await this.deps.operators.events();
    return {
      numbered: String(numbered),
      lastNumberedAt: numberedAt,
      unnumbered,
      oldestUnnumberedAt: oldestAt,
      lagMs,
      partitions,
      partitionsWithoutProcess: withoutProcess,
    };
  }

  @FieldResolver(() => [PlatformProcess], {
    description:
      'Running processes with their settings, ordered by role, machine and start time. At most 200: those that reported last.',
  })
  async processes(): Promise<PlatformProcess[]> {
    const now = this.deps.operators.now().getTime();
    return (await this.deps.operators.processes()).map((one) => presentProcess(one, now));
  }
}

/** The fields with a resolver of their own are left to it. */
function presentTenant(tenant: TenantView): PlatformTenant {
  return tenant;
}

function presentProcess({ _id: id, ...process }: ProcessDocument, now: number): PlatformProcess {
  return { id, ...process, isSilent: now - process.seenAt.getTime() > SILENT_AFTER_MS };
}
