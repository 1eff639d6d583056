import type { ComponentChildren } from 'preact';
import { GraphError } from '../graph.ts';
import type { ListSource } from '../list-source.ts';
import type { LiveDocument } from '../live-documents.ts';
import { type ListAddress, ListFrame, useListAddress } from '../parts/list-frame.tsx';
import { LiveBar } from '../parts/live-bar.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { words } from '../settings.tsx';
import { useLiveList } from '../use-live-list.tsx';
import { PageRows, RowsTable } from './plain-list.tsx';

/** Rows of the live page. */
const SIZE = 50;

interface LiveListProps<List extends LiveDocument, Changes extends LiveDocument, Row> {
  readonly title: string;
  readonly source: ListSource<List, Changes, Row>;
  readonly columns: readonly Column<Row>[];
  readonly hrefOf: (row: Row) => string;
  /** In place of the rows of a list that has none at all: how records come to be. */
  readonly empty: ComponentChildren;
  /** Beside the title. */
  readonly actions?: (address: ListAddress) => ComponentChildren;
  /** Above the filters. */
  readonly tabs?: (address: ListAddress) => ComponentChildren;
}

/** A list with filters. Its first page is live; older pages are as they were when they were opened. */
export function LiveList<List extends LiveDocument, Changes extends LiveDocument, Row>({
  title,
  source,
  columns,
  hrefOf,
  empty,
  actions,
  tabs,
}: LiveListProps<List, Changes, Row>) {
  const address = useListAddress(source.fields);
  const isFirst = !address.position.after && !address.position.before;
  const key = address.hrefOf(address.position);
  const shown = { title, source, columns, hrefOf, empty, address };
  return (
    <ListFrame
      title={title}
      source={source}
      address={address}
      actions={actions?.(address)}
      tabs={tabs?.(address)}
    >
      {isFirst ? <LivePage key={key} {...shown} /> : <PageRows key={key} {...shown} />}
    </ListFrame>
  );
}

type LivePageProps<List extends LiveDocument, Changes extends LiveDocument, Row> = Omit<
  LiveListProps<List, Changes, Row>,
  'actions' | 'tabs'
> & { readonly address: ListAddress };

function LivePage<List extends LiveDocument, Changes extends LiveDocument, Row>(
  props: LivePageProps<List, Changes, Row>,
) {
  const { source, address } = props;
  const list = useLiveList(source, address.values, SIZE);
  const { connection, page } = list;
  const failure = connection.name === 'ended' ? connection.error : undefined;
  return (
    <>
      <LiveBar
        connection={connection}
        isPaused={list.isPaused}
        setPaused={list.setPaused}
        fresh={page?.rows.fresh.size ?? 0}
        held={page?.rows.held.length ?? 0}
        onShow={list.refresh}
      />
      {failure instanceof Error && <Failed error={asGraphError(failure)} onRetry={list.refresh} />}
      {!page && !failure && <Loading place="rows" />}
      {page && (
        <RowsTable
          {...props}
          keyOf={source.keyOf}
          rows={page.rows.rows}
          pageInfo={page.pageInfo}
          markOf={(row) => page.rows.changed.has(source.keyOf(row)) && <Changed />}
        />
      )}
    </>
  );
}

/** Marks a row that has changed since the list was read. */
function Changed() {
  return (
    <span class="mark" title={words.value.states.changed}>
      <span aria-hidden="true">•</span>
      <span class="hidden">{words.value.states.changed}</span>
    </span>
  );
}

/** The error with which the live client ends has the server's code. */
function asGraphError(error: Error): GraphError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'INTERNAL_SERVER_ERROR';
  return new GraphError(code, error.message);
}
