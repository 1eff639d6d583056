import type { Connection } from '../../../subgraphs/graph/connection.ts';
import type { Page } from '../../../subgraphs/graph/paginate.ts';
import { isDate } from '../../../subgraphs/kernel/person/checks.ts';
import { textOf, UsageError, type Values } from './command.ts';

const DEFAULT = 100;
const LARGEST_PAGE = 100;

/** The option `limit`; by default 100. @throws UsageError unless it is a number of 1 to `most` */
export function limitOf(values: Values, most: number): number {
  const text = textOf(values, 'limit') ?? String(DEFAULT);
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > most) {
    throw new UsageError(`--limit takes 1 to ${most}.`);
  }
  return limit;
}

/** An option with a time. With a zone: the machine's own is not the partner's. @throws UsageError for another text */
export function timeOf(values: Values, name: string): Date | undefined {
  const text = textOf(values, name);
  if (text === undefined) {
    return undefined;
  }
  const time = new Date(text);
  const day = /^(\d{4}-\d\d-\d\d)T[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.exec(text)?.[1];
  if (day === undefined || !isDate(day) || Number.isNaN(time.getTime())) {
    throw new UsageError(`--${name} takes a time such as 2026-11-21T08:00:00Z.`);
  }
  return time;
}

/** Reads a list page after page. @returns its first `limit` items */
export async function readFirst<Node>(
  limit: number,
  read: (page: Page) => Promise<Connection<Node>>,
): Promise<Node[]> {
  const nodes: Node[] = [];
  let after: string | null = null;
  while (nodes.length < limit) {
    const page: Connection<Node> = await read({ first: Math.min(LARGEST_PAGE, limit - nodes.length), after });
    nodes.push(...page.nodes);
    if (!page.pageInfo.hasNextPage) {
      break;
    }
    after = page.pageInfo.endCursor;
  }
  return nodes;
}
