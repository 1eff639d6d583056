import { Readable } from 'node:stream';
import { csvRecord } from './csv.ts';
import type { ExportedList, ListPage } from './lists.ts';

/** Text that waits for a slow reader before the next page is read. */
const BUFFERED_BYTES = 16 * 1024;

interface RowsDeps<Node> {
  readonly list: Pick<ExportedList<never, Node>, 'columns'>;
  /** It is read before anything is answered, so that what is wrong with the call has a status of its own. */
  readonly first: ListPage<Node>;
  /** The page behind a cursor. What it throws ends the body without its end. */
  readPage(after: string): Promise<ListPage<Node>>;
  /** The most rows. */
  readonly limit: number;
}

/** The body of an export. A page is read when the reader has taken the one before it: no more than two are in memory. */
export function createRows<Node>(deps: RowsDeps<Node>): Readable {
  return Readable.from(textOf(deps), { objectMode: false, highWaterMark: BUFFERED_BYTES });
}

async function* textOf<Node>({ list, first, readPage, limit }: RowsDeps<Node>): AsyncGenerator<string> {
  const columns = Object.values(list.columns);
  yield csvRecord([...Object.keys(list.columns), 'cursor']);
  let page = first;
  for (let left = limit; ; ) {
    const rows = page.edges.slice(0, left);
    left -= rows.length;
    if (rows.length > 0) {
      yield rows
        .map(({ node, cursor }) => csvRecord([...columns.map((cell) => cell(node)), cursor]))
        .join('');
    }
    const { hasNextPage, endCursor } = page.pageInfo;
    if (left === 0 || !hasNextPage || endCursor == null) {
      return;
    }
    page = await readPage(endCursor);
  }
}
