/** The most rows of a file. Source: `rest-compat/exports/parameters.ts`. */
const MOST_ROWS = 100_000;

/** Whether a file has as many rows as a file can have: the list may have more. @param text the whole file */
export function isFullFile(text: string, format: 'csv' | 'jsonl', most: number = MOST_ROWS): boolean {
  // A line end within quotes is part of a cell. CSV has a line of column names.
  const lines = format === 'csv' ? text.replaceAll(/"[^"]*"/g, '') : text;
  return lines.split('\n').length - (format === 'csv' ? 2 : 1) >= most;
}
