import { type FilterField, type FilterValues, isInSpan, lets, type NamedField } from './filters.ts';
import type { DataOf, DocumentName } from './graph.ts';
import type { FieldLabel } from './language/en.ts';
import type { LiveDocument } from './live-documents.ts';

/** A filter of a list, with its label among the words. */
export type Filter = FilterField<FieldLabel>;

/** A filter that can also read its value from a row, so that rows from events are filtered like the list. */
type RowFilter<Row> =
  | Extract<Filter, { readonly kind: 'span' }>
  | (NamedField<FieldLabel> & { readonly of: (row: Row) => unknown });

/** The links of a page to its neighbours. */
export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** A page of a list of the graph. */
export interface RowsOfPage<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: PageInfo;
}

/** A list of the graph, with its filters. It does not change itself: screens keep it for good. */
export interface PageSource<List extends DocumentName, Row> {
  readonly list: List;
  readonly fields: readonly Filter[];
  readonly keyOf: (row: Row) => string;
  readonly rowsOf: (data: DataOf<List>) => RowsOfPage<Row>;
  /** Name of the list below `/exports`; absent if it has no export. */
  readonly csv?: string;
}

/** A list of records that change while it is shown. */
export interface ListSource<List extends LiveDocument, Changes extends LiveDocument, Row>
  extends PageSource<List, Row> {
  readonly changes: Changes;
  readonly fields: readonly RowFilter<Row>[];
  readonly createdAt: (row: Row) => string;
  readonly rowOf: (data: DataOf<Changes>) => Row | null | undefined;
  /** The row after a change of its operation; the same row if the operation is another one's. Absent if rows show no operation. */
  readonly withOperation?: (row: Row, operation: ChangedOperation) => Row;
}

/** An operation, as the event of its change has it. */
export type ChangedOperation = NonNullable<DataOf<'operationChanges'>['operationStatusChanged']['operation']>;

/** Whether a row matches the filters. */
export function matches<Row>(
  { fields, createdAt }: Pick<ListSource<never, never, Row>, 'fields' | 'createdAt'>,
  row: Row,
  values: FilterValues,
): boolean {
  return fields.every((field) =>
    field.kind === 'span' ? isInSpan(createdAt(row), fields, values) : lets(field, field.of(row), values),
  );
}
