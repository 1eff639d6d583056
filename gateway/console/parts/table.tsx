import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A column of a table. */
export interface Column<Row> {
  readonly name: string;
  readonly label: string;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  /** The content of the table, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Where a row leads: its first cell is a link, and a press on the rest of the row follows it. */
  readonly hrefOf?: (row: Row) => string;
  /** A mark before the first cell. */
  readonly markOf?: (row: Row) => ComponentChildren;
}

/**
 * A native table with a header that stays in view. One that is too wide scrolls sideways, by keyboard too; on a narrow
 * screen each row is a card.
 */
export function Table<Row>({ caption, columns, rows, keyOf, hrefOf, markOf }: TableProps<Row>) {
  const region = useRef<HTMLElement>(null);
  useRowLinks(region);
  useFit(region);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (WCAG 2.1.1).
    <section ref={region} class="table rows" aria-label={caption} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, label, isNumber }) => (
              <th key={name} scope="col" class={isNumber ? 'right' : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-key={keyOf(row)} class={hrefOf && 'leads'}>
              {columns.map(({ name, label, isNumber, cell }, index) => (
                <td key={name} data-label={label} class={isNumber ? 'right' : undefined}>
                  {index === 0 && markOf?.(row)}
                  {index === 0 && hrefOf ? <a href={hrefOf(row)}>{cell(row)}</a> : cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Controls in a row that act by themselves: a press on one does not follow the row. */
const OWN_ACTS = 'a, button, input, select, summary, label';

/**
 * Has presses on a row follow the link in its first cell: a middle press, or one with Ctrl or the command key, in a new tab.
 * The listener is on the region, because the row itself is no control: keyboards and screen readers use the link.
 */
function useRowLinks(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = region.current;
    const leaving = new AbortController();
    const { signal } = leaving;
    element?.addEventListener('click', followRow, { signal });
    element?.addEventListener('auxclick', followRow, { signal });
    // Otherwise a middle press begins to scroll where the browser has that.
    element?.addEventListener('mousedown', keepStill, { signal });
    return () => leaving.abort();
  }, [region]);
}

function followRow(event: MouseEvent): void {
  const link = linkOf(event);
  const isMiddle = event.button === 1;
  // A text that somebody selects is not a press.
  if (!link || event.button > 1 || getSelection()?.type === 'Range') {
    return;
  }
  if (isMiddle || event.ctrlKey || event.metaKey || event.shiftKey) {
    open(link.href, '_blank', 'noopener');
  } else {
    link.click();
  }
}

function keepStill(event: MouseEvent): void {
  if (event.button === 1 && linkOf(event)) {
    event.preventDefault();
  }
}

/** The link of the row that was pressed; undefined if something in the row has the press. */
function linkOf({ target }: MouseEvent): HTMLAnchorElement | undefined {
  const pressed = target instanceof Element && !target.closest(OWN_ACTS) ? target : undefined;
  return pressed?.closest('tr.leads')?.querySelector<HTMLAnchorElement>('td a') ?? undefined;
}

/**
 * Marks a table that is not too wide. Its header sticks to the top of the window: in a region that scrolls sideways, it could
 * stick only to the region.
 */
function useFit(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = region.current;
    const table = element?.querySelector('table');
    if (!element || !table) {
      return undefined;
    }
    const measure = () => element.classList.toggle('fits', table.offsetWidth <= element.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(table);
    return () => observer.disconnect();
  }, [region]);
}
