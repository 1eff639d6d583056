// A page of a list that is kept up to date by events. Rows do not jump: new rows wait until the reader asks for them.

/** A page as the graph gave it. */
interface RowPage<Row> {
  readonly rows: readonly Row[];
  readonly hasNextPage: boolean;
}

/** A page, and the changes since. */
export interface LiveRows<Row> extends RowPage<Row> {
  /** Keys of rows that would stand in this page, but did not when it was read. */
  readonly fresh: ReadonlySet<string>;
  /** Keys of rows that an event has changed since the page was read. */
  readonly changed: ReadonlySet<string>;
  /** Events that came while the page was paused, oldest first. */
  readonly held: readonly Row[];
}

/** The properties of rows that a list needs. */
export interface RowRules<Row> {
  keyOf(row: Row): string;
  /** RFC 3339; the list is in order of it, newest first. */
  createdAt(row: Row): string;
  /** Whether it matches the list's filters. */
  matches(row: Row): boolean;
}

export function startRows<Row>({ rows, hasNextPage }: RowPage<Row>): LiveRows<Row> {
  return { rows, hasNextPage, fresh: new Set(), changed: new Set(), held: [] };
}

/** Applies an event's row: changes the existing row, or counts a new one. */
export function applyRow<Row>(state: LiveRows<Row>, row: Row, rules: RowRules<Row>): LiveRows<Row> {
  const key = rules.keyOf(row);
  const index = state.rows.findIndex((one) => rules.keyOf(one) === key);
  if (index !== -1) {
    return { ...state, rows: state.rows.with(index, row), changed: new Set([...state.changed, key]) };
  }
  return belongs(state, row, rules) ? { ...state, fresh: new Set([...state.fresh, key]) } : state;
}

/** Whether the row would be on the page if it were read again. */
function belongs<Row>({ rows, hasNextPage }: LiveRows<Row>, row: Row, rules: RowRules<Row>): boolean {
  const last = rows.at(-1);
  const reaches = !hasNextPage || last === undefined || rules.createdAt(row) >= rules.createdAt(last);
  return reaches && rules.matches(row);
}

/** Keeps an event's row for later: the page is paused. */
export function holdRow<Row>(state: LiveRows<Row>, row: Row): LiveRows<Row> {
  return { ...state, held: [...state.held, row] };
}

/** Changes rows of the page by an event about another record that they show. @param put applies or holds a row */
export function changeRows<Row>(
  state: LiveRows<Row>,
  change: (row: Row) => Row,
  { keyOf }: Pick<RowRules<Row>, 'keyOf'>,
  put: (state: LiveRows<Row>, row: Row) => LiveRows<Row>,
): LiveRows<Row> {
  return state.rows.reduce((rows, row) => {
    const newest = rows.held.findLast((one) => keyOf(one) === keyOf(row)) ?? row;
    const changed = change(newest);
    return changed === newest ? rows : put(rows, changed);
  }, state);
}

/** Applies all held events, in the order in which they came. */
export function applyHeld<Row>(state: LiveRows<Row>, rules: RowRules<Row>): LiveRows<Row> {
  return state.held.reduce<LiveRows<Row>>((one, row) => applyRow(one, row, rules), { ...state, held: [] });
}
