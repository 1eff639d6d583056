import type { ComponentChildren } from 'preact';
import type { DocumentName } from '../graph.ts';
import type { PageInfo, PageSource } from '../list-source.ts';
import { type ListAddress, ListFrame, Pager, pageOf, useListAddress } from '../parts/list-frame.tsx';
import { Failed, Loading, NoMatch } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useQuery } from '../use-query.tsx';

/** Rows of a page. */
const SIZE = 50;

interface PlainListProps<List extends DocumentName, Row> {
  readonly title: string;
  readonly source: PageSource<List, Row>;
  readonly columns: readonly Column<Row>[];
  readonly hrefOf?: (row: Row) => string;
  /** In place of the rows of a list that has none at all: how records come to be. */
  readonly empty: ComponentChildren;
  readonly actions?: ComponentChildren;
}

/** A list with filters, without live updates. */
export function PlainList<List extends DocumentName, Row>({ actions, ...props }: PlainListProps<List, Row>) {
  const { title, source } = props;
  const address = useListAddress(source.fields);
  return (
    <ListFrame title={title} source={source} address={address} actions={actions}>
      <PageRows key={address.hrefOf(address.position)} {...props} address={address} />
    </ListFrame>
  );
}

type PageRowsProps<List extends DocumentName, Row> = Omit<PlainListProps<List, Row>, 'actions'> & {
  readonly address: ListAddress;
};

/** The page that the address names. */
export function PageRows<List extends DocumentName, Row>(props: PageRowsProps<List, Row>) {
  const { source, address } = props;
  const variables = { ...pageOf(address.position, SIZE), where: address.where };
  const query = useQuery(source.list, variables);
  if (query.data === undefined) {
    return query.error ? <Failed error={query.error} onRetry={query.reload} /> : <Loading place="rows" />;
  }
  const { nodes, pageInfo } = source.rowsOf(query.data);
  return <RowsTable {...props} keyOf={source.keyOf} rows={nodes} pageInfo={pageInfo} />;
}

interface PageTableProps<Row> {
  readonly title: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly hrefOf?: ((row: Row) => string) | undefined;
  readonly markOf?: (row: Row) => ComponentChildren;
  readonly empty: ComponentChildren;
  readonly address: ListAddress;
  readonly rows: readonly Row[];
}

/** Rows with links to the next page, or the reason for their absence. */
export function RowsTable<Row>({
  pageInfo,
  ...props
}: PageTableProps<Row> & { readonly pageInfo: PageInfo }) {
  return (
    <>
      <PageTable {...props} />
      {props.rows.length > 0 && <Pager address={props.address} pageInfo={pageInfo} />}
    </>
  );
}

/** Rows, or the reason for their absence. */
export function PageTable<Row>({
  title,
  columns,
  keyOf,
  hrefOf,
  markOf,
  empty,
  address,
  rows,
}: PageTableProps<Row>) {
  if (rows.length === 0) {
    const isFiltered = Object.keys(address.values).length > 0;
    return isFiltered ? <NoMatch onClear={() => address.apply({})} /> : empty;
  }
  return (
    <Table
      caption={title}
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      {...(hrefOf && { hrefOf })}
      {...(markOf && { markOf })}
    />
  );
}
