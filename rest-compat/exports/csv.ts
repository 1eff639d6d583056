/** Cells that a spreadsheet may take for a formula. */
const FORMULA = /^[=+\-@\t\r\n]/;
const QUOTED = /[",\r\n]/;

/**
 * One record of a CSV file, with its line end. Null and undefined are empty. An apostrophe is put before a cell that a
 * spreadsheet would run. Source: RFC 4180; OWASP, "CSV Injection".
 */
export function csvRecord(cells: readonly (string | null | undefined)[]): string {
  return `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
