import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import {
  addressOf,
  type FilterField,
  type FilterValues,
  type PagePosition,
  readFilters,
  readPosition,
  readView,
  whereOf,
} from '../filters.ts';
import type { PageInfo, PageSource } from '../list-source.ts';
import { words } from '../settings.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterForm } from './filter-form.tsx';
import { Page } from './page.tsx';
import { Presets, View } from './view.tsx';

/** The filters and position of a list in the address, and functions that change them. Other parts of the address do not stay. */
export interface ListAddress {
  readonly values: FilterValues;
  /** The filters as the graph takes them. They stay the same until the address changes, also those up to now. */
  readonly where: object;
  readonly position: PagePosition;
  /** The name of the filters, if the address has one. */
  readonly view: string | undefined;
  /** The address of a page with the same filters. */
  readonly hrefOf: (position: PagePosition) => string;
  /** The address of the first page with other filters. */
  readonly hrefWith: (values: FilterValues, view?: string) => string;
  readonly apply: (values: FilterValues, view?: string) => void;
}

export function useListAddress(fields: readonly FilterField[]): ListAddress {
  const { path, query, route } = useLocation();
  const values = readFilters(fields, query);
  const view = readView(query);
  const hrefWith = (next: FilterValues, name?: string) => addressOf(path, next, {}, name);
  const filtered = hrefWith(values);
  return {
    values,
    where: useMemo(() => whereOf(fields, values), [fields, filtered]),
    position: readPosition(query),
    view,
    hrefOf: (position) => addressOf(path, values, position, view),
    hrefWith,
    apply: (next, name) => route(hrefWith(next, name)),
  };
}

interface ListFrameProps {
  readonly title: string;
  readonly source: Pick<PageSource<never, never>, 'fields' | 'csv'>;
  readonly address: ListAddress;
  readonly actions?: ComponentChildren;
  /** Tabs above the filters. */
  readonly tabs?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A screen with a list: title, tabs, filters, rows, pages. */
export function ListFrame({ title, source, address, actions, tabs, children }: ListFrameProps) {
  const { fields, csv } = source;
  const { view } = address;
  const shown = (
    <>
      {actions}
      {csv && <ExportButton name={csv} where={address.where} />}
    </>
  );
  return (
    <Page title={view === undefined ? title : `${title}: ${view}`} actions={shown}>
      {tabs}
      {fields.length > 0 && (
        <div class="list-tools">
          {fields.some(({ kind }) => kind === 'span') && (
            <Presets values={address.values} hrefWith={address.hrefWith} />
          )}
          <FilterForm
            key={address.hrefOf({})}
            fields={fields}
            values={address.values}
            isInTabs={(name) => tabs !== undefined && name === 'status'}
            onApply={address.apply}
          />
          <View key={`view ${address.hrefOf({})}`} {...address} />
        </div>
      )}
      {children}
    </Page>
  );
}

interface PagerProps {
  readonly address: ListAddress;
  readonly pageInfo: PageInfo;
}

/** Links to the pages beside this one: they can be opened in a new tab, and sent to somebody. */
export function Pager({ address, pageInfo }: PagerProps) {
  const { common } = words.value;
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = pageInfo;
  const isFirst = !address.position.after && !address.position.before;
  return (
    <nav class="pager" aria-label={common.older}>
      {!isFirst && <a href={address.hrefOf({})}>{common.newest}</a>}
      {!isFirst && hasPreviousPage && startCursor && (
        <a href={address.hrefOf({ before: startCursor })}>{common.newer}</a>
      )}
      {hasNextPage && endCursor && <a href={address.hrefOf({ after: endCursor })}>{common.older}</a>}
    </nav>
  );
}

/** The page of a list that the position names, in variables of its document. */
export function pageOf(
  { after, before }: PagePosition,
  size: number,
): {
  first?: number;
  last?: number;
  after?: string;
  before?: string;
} {
  return before ? { last: size, before } : { first: size, ...(after && { after }) };
}
