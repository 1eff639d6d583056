import { useCallback, useEffect, useState } from 'preact/hooks';
import { LiveError, type LiveState, listen } from '../client/index.ts';
import { LIVE_TEXTS, live } from './connection.tsx';
import { type FilterValues, whereOf } from './filters.ts';
import type { DataOf } from './graph.ts';
import {
  type ChangedOperation,
  type ListSource,
  matches,
  type PageInfo,
  type RowsOfPage,
} from './list-source.ts';
import type { LiveDocument } from './live-documents.ts';
import {
  applyHeld,
  applyRow,
  changeRows,
  holdRow,
  type LiveRows,
  type RowRules,
  startRows,
} from './live-rows.ts';
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
    const { withOperation } = source;
    const put = (rows: LiveRows<Row>, row: Row) =>
      pause.isOn ? holdRow(rows, row) : applyRow(rows, row, rules);
    return followList(source, values, size, {
      onState: setConnection,
      onList: ({ nodes, pageInfo }) => {
        setPage({ rows: startRows({ rows: nodes, hasNextPage: pageInfo.hasNextPage }), pageInfo });
      },
      onRow: (row) => change((rows) => put(rows, row)),
      ...(withOperation && {
        onOperation: (operation) =>
          change((rows) => changeRows(rows, (row) => withOperation(row, operation), rules, put)),
      }),
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
  /** Absent if rows show no operation. */
  readonly onOperation?: (operation: ChangedOperation) => void;
}

function followList<List extends LiveDocument, Changes extends LiveDocument, Row>(
  source: ListSource<List, Changes, Row>,
  values: FilterValues,
  size: number,
  { onState, onList, onRow, onOperation }: ListListener<Row>,
): () => void {
  const items = live.listThenFollow<DataOf<List>, DataOf<Changes>>({
    list: {
      query: LIVE_TEXTS[source.list],
      variables: { first: size, where: whereOf(source.fields, values) },
    },
    follow: { query: LIVE_TEXTS[source.changes] },
    onState,
  });
  let stopOperations: (() => void) | undefined;
  const stop = listen(items, {
    next(item) {
      if (item.kind === 'list') {
        onList(source.rowsOf(item.data));
        stopOperations?.();
        stopOperations = onOperation && followOperations(item.cursor, onOperation);
        return;
      }
      const row = source.rowOf(item.data);
      if (row) {
        onRow(row);
      }
    },
    // onState informs the screen.
    ended: endSession,
  });
  return () => {
    stop();
    stopOperations?.();
  };
}

/** The screen of a session that has ended is left. */
function endSession(failure: { readonly error: unknown } | undefined): void {
  if (failure?.error instanceof LiveError && failure.error.code === 'UNAUTHENTICATED') {
    noteEnded();
  }
}

/** @param after the cursor of the list */
function followOperations(after: string, onOperation: (operation: ChangedOperation) => void): () => void {
  const events = live.follow<DataOf<'operationChanges'>>({ query: LIVE_TEXTS.operationChanges, after });
  return listen(events, {
    next({ data: { operationStatusChanged } }) {
      if (operationStatusChanged.operation) {
        onOperation(operationStatusChanged.operation);
      }
    },
    // The state of the list informs the screen.
    ended: endSession,
  });
}
