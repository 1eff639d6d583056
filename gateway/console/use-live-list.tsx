import { useCallback, useEffect, useState } from 'preact/hooks';
import { LiveError, type LiveState, listen } from '../client/index.ts';
import { LIVE_TEXTS, live } from './connection.tsx';
import { type FilterValues, whereOf } from './filters.ts';
import type { DataOf } from './graph.ts';
import { type ListSource, matches, type PageInfo, type RowsOfPage } from './list-source.ts';
import type { LiveDocument } from './live-documents.ts';
import { applyHeld, applyRow, holdRow, type LiveRows, type RowRules, startRows } from './live-rows.ts';
import { noteEnded } from './session.tsx';

/** The first page of a list, and the changes since it was read. */
interface LivePage<Row> {
  readonly rows: LiveRows<Row>;
  readonly pageInfo: PageInfo;
}

/** A list that events keep up to date. */
interface LiveList<Row> {
  /** Undefined until the first list has been read. */
  readonly page: LivePage<Row> | undefined;
  readonly connection: LiveState;
  readonly isPaused: boolean;
  readonly setPaused: (isPaused: boolean) => void;
  /** Reads the list again, with all that is new. */
  readonly refresh: () => void;
}

/**
 * Shows the first page of a list, and follows it. It reads a list together with the cursor after which events follow,
 * so no change is lost between the two, or when the server restarts.
 * @param source never changes
 */
export function useLiveList<List extends LiveDocument, Changes extends LiveDocument, Row>(
  source: ListSource<List, Changes, Row>,
  values: FilterValues,
  size: number,
): LiveList<Row> {
  const [page, setPage] = useState<LivePage<Row>>();
  const [connection, setConnection] = useState<LiveState>({ name: 'connecting' });
  const [isPaused, setIsPaused] = useState(false);
  const [round, setRound] = useState(0);
  const [pause] = useState({ isOn: false });
  const change = useCallback((next: (rows: LiveRows<Row>) => LiveRows<Row>) => {
    setPage((one) => one && { ...one, rows: next(one.rows) });
  }, []);
  const address = JSON.stringify(values);
  // The address stands for the values, the round for a refresh.
  useEffect(() => {
    const rules = rulesOf(source, values);
    return followList(source, values, size, {
      onState: setConnection,
      onList: ({ nodes, pageInfo }) => {
        setPage({ rows: startRows({ rows: nodes, hasNextPage: pageInfo.hasNextPage }), pageInfo });
      },
      onRow: (row) => change((rows) => (pause.isOn ? holdRow(rows, row) : applyRow(rows, row, rules))),
    });
  }, [source, address, size, round]);
  const setPaused = (next: boolean) => {
    pause.isOn = next;
    setIsPaused(next);
    if (!next) {
      change((rows) => applyHeld(rows, rulesOf(source, values)));
    }
  };
  return { page, connection, isPaused, setPaused, refresh: () => setRound((one) => one + 1) };
}

function rulesOf<List extends LiveDocument, Changes extends LiveDocument, Row>(
  source: ListSource<List, Changes, Row>,
  values: FilterValues,
): RowRules<Row> {
  const { keyOf, createdAt } = source;
  return { keyOf, createdAt, matches: (row) => matches(source, row, values) };
}

interface ListListener<Row> {
  onState(state: LiveState): void;
  onList(page: RowsOfPage<Row>): void;
  onRow(row: Row): void;
}

function followList<List extends LiveDocument, Changes extends LiveDocument, Row>(
  source: ListSource<List, Changes, Row>,
  values: FilterValues,
  size: number,
  { onState, onList, onRow }: ListListener<Row>,
): () => void {
  const items = live.listThenFollow<DataOf<List>, DataOf<Changes>>({
    list: {
      query: LIVE_TEXTS[source.list],
      variables: { first: size, where: whereOf(source.fields, values) },
    },
    follow: { query: LIVE_TEXTS[source.changes] },
    onState,
  });
  return listen(items, {
    next(item) {
      if (item.kind === 'list') {
        onList(source.rowsOf(item.data));
        return;
      }
      const row = source.rowOf(item.data);
      if (row) {
        onRow(row);
      }
    },
    // onState informs the screen.
    ended: (failure) => {
      if (failure?.error instanceof LiveError && failure.error.code === 'UNAUTHENTICATED') {
        noteEnded();
      }
    },
  });
}
