import { SETTINGS, type Setting } from '../subgraphs/kernel/config/schema.ts';

const BEGIN = '<!-- settings:begin (made by npm run schema) -->';
const END = '<!-- settings:end -->';

/** The table of environment variables, from the schema that checks them. */
export function settingsTable(): string {
  const rows = Object.entries(SETTINGS).map(
    ([name, setting]) => `| \`${name}\` | ${defaultOf(setting)} | ${setting.description} |`,
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

/** The text with the table between its two marks. */
export function withTable(text: string, table: string): string {
  const [before, rest = ''] = text.split(BEGIN);
  const [, after] = rest.split(END);
  if (after === undefined) {
    throw new Error(`The README has no place for the settings: ${BEGIN} … ${END}`);
  }
  return `${before}${BEGIN}\n${table}\n${END}${after}`;
}

/** The value of a setting that is not given, in backticks; empty where there is none. */
export function defaultOf({ type }: Setting): string {
  const value = type.parse(undefined);
  if (value === undefined) {
    return '';
  }
  return Array.isArray(value)
    ? value.length > 0
      ? `\`${value.join(',')}\``
      : 'empty'
    : `\`${String(value)}\``;
}
