import { parse, print } from 'graphql';
import { type ExportedList, LISTS } from '../rest-compat/exports/columns.ts';
import type { SchemaFile } from './supergraph.ts';

/** The documents that read the lists of `/exports`, made from the columns. */
export function exportDocuments(): SchemaFile[] {
  return LISTS.map((list) => ({ name: `schema/operations/${list.document}.graphql`, text: textOf(list) }));
}

function textOf({ name, formats = ['csv'], document, field, where, columns }: ExportedList): string {
  const paths = formats.map((format) => `/exports/${name}.${format}`);
  const page = `(first: 100, where: $where, after: $after) {
    edges { cursor node { ${selectionOf(Object.values(columns))} } } pageInfo { hasNextPage endCursor }
  }`;
  const [root = '', ...inner] = field.split('.').reverse();
  const selected = inner.reduce((selection, outer) => `${outer} { ${selection} }`, `${root}${page}`);
  const operation = `${document.charAt(0).toUpperCase()}${document.slice(1)}`;
  const query = `query ${operation}($where: ${where}, $after: String) { ${selected} }`;
  return `# Made by \`npm run schema\` from rest-compat/exports/columns.ts: GET ${paths.join(' and ')}\n${print(parse(query))}\n`;
}

/** The selection of fields at these paths, each object once, in the order of its first field. */
function selectionOf(paths: readonly string[]): string {
  const fields = new Set(paths.map((path) => path.replace(/\..*/, '')));
  return [...fields].map((field) => `${field} ${objectOf(field, paths)}`).join(' ');
}

function objectOf(field: string, paths: readonly string[]): string {
  const inner = paths.flatMap((path) => (path.startsWith(`${field}.`) ? [path.slice(field.length + 1)] : []));
  return inner.length === 0 ? '' : `{ ${selectionOf(inner)} }`;
}
