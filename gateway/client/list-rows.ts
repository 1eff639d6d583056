/** How events change the rows of a list. */
export interface RowRules<Row> {
  /** Distinguishes rows, such as by their `nodeId`. */
  readonly keyOf: (row: Row) => string;
  /**
   * Whether the row belongs to the list: the filter that the list has as variables. A row that an event has changed so that it
   * no longer does leaves the list. Default: every row does.
   */
  readonly includes?: (row: Row) => boolean;
  /** The order of the rows, as for `Array.sort`. Default: the order of the list, and before it rows that it does not have. */
  readonly compare?: (one: Row, other: Row) => number;
  /** The maximum number of rows; the last ones leave the list. Default 500. */
  readonly limit?: number;
}

const LIMIT = 500;

/** The rows of a list that was read, in their order. */
export function firstRows<Row>(rows: readonly Row[], rules: RowRules<Row>): readonly Row[] {
  const { compare, limit = LIMIT } = rules;
  return (compare === undefined ? rows : [...rows].sort(compare)).slice(0, limit);
}

/** The rows after an event about one of them, or about another one. */
export function applyRow<Row>(rows: readonly Row[], row: Row, rules: RowRules<Row>): readonly Row[] {
  const { keyOf, includes } = rules;
  const key = keyOf(row);
  const index = rows.findIndex((one) => keyOf(one) === key);
  if (includes !== undefined && !includes(row)) {
    return index === -1 ? rows : rows.filter((_one, at) => at !== index);
  }
  const changed = index === -1 ? [row, ...rows] : rows.map((one, at) => (at === index ? row : one));
  return firstRows(changed, rules);
}
