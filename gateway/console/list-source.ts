import type { FilterField, FilterValues } from './filters.ts';
import type { DataOf, DocumentName } from './graph.ts';
import type { FieldLabel } from './language/en.ts';
import type { LiveDocument } from './live-documents.ts';

/** A filter of a list, with its label among the words. */
export type Filter = FilterField<FieldLabel>;

/** The part of a page that leads to the pages beside it. */
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
  /** The `where` of the list's document. */
  readonly whereOf: (values: FilterValues) => object;
  readonly rowsOf: (data: DataOf<List>) => RowsOfPage<Row>;
  /** Name of the list below `/exports`; absent where there is no file of it. */
  readonly csv?: string;
}

/** A list of records that change while one looks. */
export interface ListSource<List extends LiveDocument, Changes extends LiveDocument, Row>
  extends PageSource<List, Row> {
  readonly changes: Changes;
  readonly createdAt: (row: Row) => string;
  /** Whether the filters let a row through, as far as the row tells. */
  readonly matches: (row: Row, values: FilterValues) => boolean;
  readonly rowOf: (data: DataOf<Changes>) => Row | null | undefined;
}
