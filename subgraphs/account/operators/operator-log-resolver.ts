import { Arg, FieldResolver, Int, Resolver } from 'type-graphql';
import { mapConnection } from '../../graph/connection.ts';
import type { OperatorLog, OperatorLogDocument } from '../../partners/operator-log/index.ts';
import { PartnerEnvironment } from '../graphql/partner.type.ts';
import { OperatorLogConnection, type OperatorLogEntry, OperatorLogWhereInput } from './operator-log.type.ts';
import { Platform } from './platform.type.ts';

/** The log of operators' acts. */
@Resolver(() => Platform)
export class OperatorLogResolver {
  constructor(private readonly log: Pick<OperatorLog, 'list'>) {}

  @FieldResolver(() => OperatorLogConnection, {
    description: "Acts of the platform's operators, newest first.",
  })
  async operatorLog(
    @Arg('where', () => OperatorLogWhereInput, { nullable: true, description: 'Only these entries.' })
    where: OperatorLogWhereInput | null,
    @Arg('first', () => Int, {
      nullable: true,
      description: 'Maximum number of results, 1 to 100; 20 when absent.',
    })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'Only entries after this cursor.' })
    after: string | null,
  ): Promise<OperatorLogConnection> {
    const { tenantId, act, createdAt } = where ?? {};
    const filter = {
      tenantId: tenantId ?? undefined,
      act: act ?? undefined,
      since: createdAt?.gte ?? undefined,
      until: createdAt?.lt ?? undefined,
    };
    const found = await this.log.list(filter, { first: first ?? null, after: after ?? null });
    return mapConnection(found, present, OperatorLogConnection);
  }
}

const ENVIRONMENTS = { sandbox: PartnerEnvironment.SANDBOX, live: PartnerEnvironment.LIVE } as const;

function present({ _id: id, environment, ...entry }: OperatorLogDocument): OperatorLogEntry {
  const { sessionId = null, host = null, tenantId = null, subject = null, reason = null } = entry;
  const { before = null, after = null } = entry;
  return {
    ...entry,
    ...{ id, sessionId, host, tenantId, subject, reason, before, after },
    environment: environment ? ENVIRONMENTS[environment] : null,
  };
}
