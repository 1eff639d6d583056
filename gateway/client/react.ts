// `remitgraph/react`: lists for React that stay up to date. React is the project's own.
import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { ListAndSubscription, LiveClient } from './client.ts';
import { applyRow, firstRows, type RowRules } from './list-rows.ts';
import { listen } from './listen.ts';
import type { LiveState } from './live-items.ts';
import type { AnyFields, UntypedOperation } from './typed-document.ts';

/** A list, the subscription that keeps it up to date, and the rows in both. */
export interface LiveListOptions<Row, List, Data, ListVariables extends object, Variables extends object>
  extends Pick<ListAndSubscription<List, Data, ListVariables, Variables>, 'list' | 'follow'>,
    RowRules<NoInfer<Row>> {
  /** The rows of the list. */
  readonly rowsOf: (list: List) => readonly Row[];
  /** The row of an event, with the same fields. Null or undefined: the event does not change the list. */
  readonly rowOf: (data: Data) => NoInfer<Row> | null | undefined;
}

/** A list on a screen. */
export interface LiveRows<Row> {
  /** Undefined until the first list has been read. They stay while the client reconnects, and after an error. */
  readonly rows: readonly Row[] | undefined;
  /** `ended`, with the error, if a retry cannot help. */
  readonly state: LiveState;
  /** Reads the list again, and follows it from there: for a button beside an error. It never changes. */
  readonly reload: () => void;
}

/** The documents and variables that a screen follows. Another list is another subject. */
type Subject<List, Data, ListVariables extends object, Variables extends object> = Pick<
  ListAndSubscription<List, Data, ListVariables, Variables>,
  'list' | 'follow'
> & { readonly client: LiveClient };

interface Shown<Row> {
  readonly subject: object;
  readonly rows: readonly Row[] | undefined;
  readonly state: LiveState;
}

/** Between an event with errors and the next read of the list: all of a burst of such events cause one. */
const RELOAD_AFTER_MS = 1_000;

/**
 * Shows a list, and follows it: first the rows of the list, then each change as its event comes. It starts when the component
 * is mounted, and again when the client, a document or a variable is another one; it ends when the component is unmounted.
 * No change is lost in between, or while the client is disconnected. After an event with errors, which has only a
 * part of its row, it reads the list again within a second.
 *
 * Documents may be made once, outside the component, or be texts. The functions may be other ones each time.
 * @throws LiveError `BAD_DOCUMENT` when the list has no cursor, or the subscription cannot be resumed
 */
export function useLiveList<
  Row,
  List = AnyFields,
  Data = AnyFields,
  ListVariables extends object = AnyFields,
  Variables extends object = AnyFields,
>(client: LiveClient, options: LiveListOptions<Row, List, Data, ListVariables, Variables>): LiveRows<Row> {
  const { list, follow } = options;
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  // The identities stand for the operations, which are other objects each time.
  const subject = useMemo(
    () => ({ client, list, follow }),
    [client, ...identityOf(list), ...identityOf(follow)],
  );
  const [round, reload] = useReducer((before: number) => before + 1, 0);
  const [shown, setShown] = useState<Shown<Row>>(() => startOf(subject));
  useEffect(() => {
    let isOver = false;
    const stop = followRows(subject, latest, reload, (change) => {
      if (!isOver) {
        setShown((before) => ({
          ...(before.subject === subject ? before : startOf<Row>(subject)),
          ...change,
        }));
      }
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [subject, round]);
  const { rows, state } = shown.subject === subject ? shown : startOf<Row>(subject);
  return { rows, state, reload };
}

const startOf = <Row>(subject: object): Shown<Row> => ({
  subject,
  rows: undefined,
  state: { name: 'connecting' },
});

/** Is equal for equal texts and variables, and for the same parsed document. */
function identityOf({ query, variables, operationName }: UntypedOperation): unknown[] {
  return [query.valueOf(), operationName, JSON.stringify(variables)];
}

/** @returns a function that stops it */
function followRows<Row, List, Data, ListVariables extends object, Variables extends object>(
  { client, list, follow }: Subject<List, Data, ListVariables, Variables>,
  latest: { readonly current: LiveListOptions<Row, List, Data, ListVariables, Variables> },
  reload: () => void,
  show: (change: Partial<Pick<Shown<Row>, 'rows' | 'state'>>) => void,
): () => void {
  let rows: readonly Row[] = [];
  let reloading: ReturnType<typeof setTimeout> | undefined;
  const items = client.listThenFollow<List, Data, ListVariables, Variables>({
    list,
    follow,
    onState: (state) => {
      // The listener gets the end, also if a function of the caller has failed.
      if (state.name !== 'ended') {
        show({ state });
      }
    },
  });
  const stop = listen(items, {
    next(item) {
      const rules = latest.current;
      if (item.kind === 'list') {
        rows = firstRows(rules.rowsOf(item.data), rules);
        show({ rows });
        return;
      }
      if (item.errors.length > 0) {
        reloading ??= setTimeout(reload, RELOAD_AFTER_MS);
        return;
      }
      const row = rules.rowOf(item.data);
      if (row !== null && row !== undefined) {
        rows = applyRow(rows, row, rules);
        show({ rows });
      }
    },
    ended: (failure) => {
      // A list that has ended is read again by its caller alone.
      clearTimeout(reloading);
      show({ state: { name: 'ended', ...failure } });
    },
  });
  return () => {
    stop();
    clearTimeout(reloading);
  };
}
