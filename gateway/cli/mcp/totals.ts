import type { ReadGraph } from './documents.ts';

/** Records that can be counted. */
export const COUNTED = ['operations', 'money_requests', 'remittances', 'webhooks'] as const;

interface Count {
  readonly status: string;
  readonly count: number;
}

/** Times as the graph takes them; undefined without a bound. */
interface Range {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/**
 * How many records the partner has by status, created from `from` and before `to`. Of remittances those in progress and failed, of webhooks
 * those that are not delivered.
 * @throws GraphError
 */
export async function readTotals(
  graph: ReadGraph,
  of: (typeof COUNTED)[number],
  { from: gte, to: lt }: Range,
  signal: AbortSignal,
): Promise<readonly Count[]> {
  const createdAt = gte === undefined && lt === undefined ? undefined : { gte, lt };
  switch (of) {
    case 'operations':
      return countsOf((await graph.run('operationCounts', { where: { createdAt } }, signal)).operationTotals);
    case 'money_requests':
      return countsOf(
        (await graph.run('moneyRequestCounts', { where: { createdAt } }, signal)).requestMoneyTotals,
      );
    case 'remittances': {
      const { inProgress, failed } = await graph.run('remittanceCounts', { createdAt }, signal);
      return [
        { status: 'IN_PROGRESS', count: inProgress.totalCount },
        { status: 'FAILED', count: failed.totalCount },
      ];
    }
    case 'webhooks': {
      const { pending, deadLettered, paused } = await graph.run('deliveryCounts', { createdAt }, signal);
      return [
        { status: 'PENDING', count: pending.totalCount },
        { status: 'DEAD_LETTERED', count: deadLettered.totalCount },
        { status: 'PAUSED', count: paused.totalCount },
      ];
    }
  }
}

function countsOf(totals: readonly { readonly status: string | null; readonly count: number }[]): Count[] {
  return totals.map(({ status, count }) => ({ status: String(status), count }));
}
