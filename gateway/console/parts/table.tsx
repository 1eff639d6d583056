import type { ComponentChildren } from 'preact';

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
  /** Where a row leads: its first cell is a link. */
  readonly hrefOf?: (row: Row) => string;
  /** A mark before the first cell. */
  readonly markOf?: (row: Row) => ComponentChildren;
}

/** A native table; narrow screens scroll it sideways, by keyboard too. */
export function Table<Row>({ caption, columns, rows, keyOf, hrefOf, markOf }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (WCAG 2.1.1).
    <section class="table" aria-label={caption} tabIndex={0}>
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
            <tr key={keyOf(row)} data-key={keyOf(row)}>
              {columns.map(({ name, isNumber, cell }, index) => (
                <td key={name} class={isNumber ? 'right' : undefined}>
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
