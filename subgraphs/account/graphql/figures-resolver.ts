import { Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { toName } from '../../graph/text-enum.ts';
import { readTimeZone } from '../../graph/totals.ts';
import { FAILURE_CAUSES } from '../../graph/verdict.ts';
import { isOneOf } from '../../kernel/objects.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { FigureReader } from '../../runtime/events/index.ts';
import { readFigures } from '../use-cases/read-figures.ts';
import type { Figures as Summed } from '../use-cases/sum-figures.ts';
import { FigureReport, FigureSeriesArgs, Figures, FiguresArgs } from './figures.type.ts';

@Resolver(() => FigureReport)
export class FiguresResolver {
  constructor(private readonly reader: FigureReader) {}

  @RequiresScopes('partner')
  @Query(() => FigureReport, {
    description:
      "Figures of the partner's operations, money requests or webhooks that were created in a time range. They follow the event log: a change is in them as soon as subscriptions get it. Fails with BAD_USER_INPUT if the range is empty or too long.",
  })
  async figures(
    @Args(() => FiguresArgs) { of: entity, from, to }: FiguresArgs,
    @Ctx() context: RequestContext,
  ): Promise<FigureReport> {
    const { accountId } = authorize(context);
    const report = await readFigures(this.reader, accountId, { entity, from, to });
    return { total: present(report.total), report };
  }

  @FieldResolver(() => [Figures], {
    description:
      'Figures of each period of the range, oldest first, also of periods without records. Fails with BAD_USER_INPUT if there are too many periods, or if timeZone is unknown.',
  })
  series(
    @Root() { report }: FigureReport,
    @Args(() => FigureSeriesArgs) { by, timeZone }: FigureSeriesArgs,
  ): Figures[] {
    return report.series(by, readTimeZone(timeZone ?? 'UTC')).map(present);
  }
}

function present({ statuses, volume, corridors, causes, ...figures }: Summed): Figures {
  return {
    ...figures,
    statuses: statuses.map(({ status, count }) => ({ status: toName(status), count })),
    volume: volume.map(({ currency, created, completed }) => ({
      currency,
      created: { amount: created, currency },
      completed: { amount: completed, currency },
    })),
    corridors: [...corridors],
    causes: causes.flatMap(({ cause, count }) => (isOneOf(FAILURE_CAUSES, cause) ? { cause, count } : [])),
  };
}
