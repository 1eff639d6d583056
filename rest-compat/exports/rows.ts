import { Readable } from 'node:stream';
import { isRecord } from '../../subgraphs/kernel/objects.ts';
import type { ExportedList, ExportFormat, ListPage } from './columns.ts';
import { csvRecord } from './csv.ts';

/** Characters that may wait for a slow reader before the next page is read. */
const BUFFERED_BYTES = 16 * 1024;
/** An export ends if its reader takes nothing for this long, because it holds one of the key's two places. */
const IDLE_MS = 60_000;

interface RowsDeps {
  readonly list: Pick<ExportedList, 'columns'>;
  /** Default: CSV. */
  readonly format?: ExportFormat;
  /** The first page. It is read before the answer begins, so that a failed call gets its own status. */
  readonly first: ListPage;
  /** Reads the page after a cursor. If it throws, the body is interrupted. */
  readPage(after: string): Promise<ListPage>;
  /** The most rows. */
  readonly limit: number;
}

/**
 * The body of an export. It reads a page when the reader has taken the page before, so memory holds two pages at
 * most. It ends if the reader takes nothing for a minute. The last row that the reader has got has a cursor to
 * continue from.
 */
export function createRows(deps: RowsDeps): Readable {
  const giveUp = () => void body.destroy(new Error('The reader of the export takes nothing'));
  const texts = withIdleLimit(textOf(deps), giveUp);
  const body = Readable.from(texts, { objectMode: false, highWaterMark: BUFFERED_BYTES });
  return body;
}

async function* withIdleLimit(texts: AsyncIterable<string>, giveUp: () => void): AsyncGenerator<string> {
  for await (const text of texts) {
    const timer = setTimeout(giveUp, IDLE_MS);
    try {
      yield text;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The text before the rows, and the text of a row. */
function writerOf({ list, format = 'csv' }: RowsDeps) {
  if (format === 'jsonl') {
    return { head: '', row: (node: object, cursor: string) => `${JSON.stringify({ ...node, cursor })}\n` };
  }
  const paths = Object.values(list.columns).map((path) => path.split('.'));
  return {
    head: csvRecord([...Object.keys(list.columns), 'cursor']),
    row: (node: object, cursor: string) => csvRecord([...paths.map((path) => cellOf(node, path)), cursor]),
  };
}

/** The text of a field of a row: of an object its JSON, of a field that is absent none. */
function cellOf(row: object, path: readonly string[]): string | undefined {
  const value = path.reduce<unknown>((from, name) => (isRecord(from) ? from[name] : undefined), row);
  if (value === null || value === undefined) {
    return undefined;
  }
  return isRecord(value) ? JSON.stringify(value) : String(value);
}

async function* textOf(deps: RowsDeps): AsyncGenerator<string> {
  const { first, readPage, limit } = deps;
  const { head, row } = writerOf(deps);
  if (head !== '') {
    yield head;
  }
  let page = first;
  for (let left = limit; ; ) {
    const rows = page.edges.slice(0, left);
    left -= rows.length;
    if (rows.length > 0) {
      yield rows.map(({ node, cursor }) => row(node, cursor)).join('');
    }
    const { hasNextPage, endCursor } = page.pageInfo;
    if (left === 0 || !hasNextPage || endCursor == null) {
      return;
    }
    page = await readPage(endCursor);
  }
}
