import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import {
  addressOf,
  type FilterValues,
  type PagePosition,
  readFilters,
  readPosition,
  whereOf,
} from '../filters.ts';
import type { Filter, PageInfo, PageSource } from '../list-source.ts';
import { words } from '../settings.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterForm } from './filter-form.tsx';
import { Page } from './page.tsx';

/** The filters and position of a list in the address, and functions that change them. */
export interface ListAddress {
  readonly values: FilterValues;
  readonly position: PagePosition;
  readonly hrefOf: (position: PagePosition) => string;
  readonly apply: (values: FilterValues) => void;
}

export function useListAddress(fields: readonly Filter[]): ListAddress {
  const { path, query, route } = useLocation();
  const values = readFilters(fields, query);
  return {
    values,
    position: readPosition(query),
    hrefOf: (position) => addressOf(path, values, position),
    apply: (next) => route(addressOf(path, next)),
  };
}

interface ListFrameProps {
  readonly title: string;
  readonly source: Pick<PageSource<never, never>, 'fields' | 'csv'>;
  readonly address: ListAddress;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A screen with a list: title, filters, rows, pages. */
export function ListFrame({ title, source, address, actions, children }: ListFrameProps) {
  const { fields, csv } = source;
  const shown = (
    <>
      {actions}
      {csv && <ExportButton name={csv} where={whereOf(fields, address.values)} />}
    </>
  );
  return (
    <Page title={title} actions={shown}>
      {fields.length > 0 && (
        <FilterForm
          key={address.hrefOf({})}
          fields={fields}
          values={address.values}
          onApply={address.apply}
        />
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
