import { isRecord } from '../../subgraphs/kernel/objects.ts';
import type { FilterKind } from './columns.ts';

/** The most rows of one export. */
const MOST_ROWS = 100_000;

/** The parameters of one export. */
export interface ExportParameters {
  /** The `where` of the list. */
  readonly where: Readonly<Record<string, unknown>>;
  /** Only rows after the one with this cursor. */
  readonly after: string | null;
  readonly limit: number;
}

/** Reads the query of a URL. The graph checks the values. @returns a message for an invalid query */
export function readExportParameters(
  { after, limit, ...filters }: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, FilterKind>>,
): ExportParameters | string {
  const where: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(filters)) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined) {
      return `There is no parameter ${name}. There are: ${[...Object.keys(known), 'after', 'limit'].join(', ')}.`;
    }
    const issue = findValueIssue(value, kind);
    if (issue !== undefined) {
      return `The parameter ${name} ${issue}.`;
    }
    setAt(where, name, readValue(value, kind));
  }
  if (after !== undefined && typeof after !== 'string') {
    return 'The parameter after may come once.';
  }
  const rows = limit === undefined ? MOST_ROWS : readLimit(limit);
  return rows === undefined
    ? `The parameter limit takes 1 to ${MOST_ROWS}.`
    : { where, after: readCursor(after), limit: rows };
}

/** Reads a cursor from a file: it has an apostrophe if it begins with a minus sign. */
function readCursor(after: string | undefined): string | null {
  return after?.replace(/^'/, '') || null;
}

function findValueIssue(value: unknown, kind: FilterKind): string | undefined {
  if (typeof value !== 'string' && kind !== 'texts') {
    return 'may come once';
  }
  return kind === 'boolean' && value !== 'true' && value !== 'false' ? 'takes true or false' : undefined;
}

function readValue(value: unknown, kind: FilterKind): unknown {
  return kind === 'texts' ? [value].flat() : kind === 'boolean' ? value === 'true' : value;
}

function readLimit(text: unknown): number | undefined {
  const rows = typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return rows >= 1 && rows <= MOST_ROWS ? rows : undefined;
}

/** Sets a field of an input object: `createdAt.gte` is `gte` of `createdAt`. */
function setAt(where: Record<string, unknown>, name: string, value: unknown): void {
  const [field = '', inner] = name.split('.');
  const given = where[field];
  where[field] = inner === undefined ? value : { ...(isRecord(given) ? given : {}), [inner]: value };
}
