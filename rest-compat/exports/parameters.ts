import { isRecord } from '../../subgraphs/platform/objects.ts';
/** The most rows of one export. */
export const MOST_ROWS = 100_000;
const REPEATED = 'status';

/** The parameters of one export. */
export interface ExportParameters {
  /** The `where` of the list, its values as text. */
  readonly where: Readonly<Record<string, unknown>>;
  /** Only rows after the one with this cursor. */
  readonly after: string | null;
  readonly limit: number;
}

/** Reads the query of a URL. The graph checks the values. @returns what is wrong, in words */
export function readExportParameters(
  { after, limit, ...filters }: Readonly<Record<string, unknown>>,
  known: readonly string[],
): ExportParameters | string {
  const where: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(filters)) {
    if (!known.includes(name)) {
      return `There is no parameter ${name}. There are: ${[...known, 'after', 'limit'].join(', ')}.`;
    }
    if (typeof value !== 'string' && name !== REPEATED) {
      return `The parameter ${name} may come once.`;
    }
    setAt(where, name, name === REPEATED ? [value].flat() : value);
  }
  if (after !== undefined && typeof after !== 'string') {
    return 'The parameter after may come once.';
  }
  const rows = limit === undefined ? MOST_ROWS : readLimit(limit);
  return rows === undefined
    ? `The parameter limit takes 1 to ${MOST_ROWS}.`
    : { where, after: after || null, limit: rows };
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
