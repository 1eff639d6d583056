/**
 * Positions where a spreadsheet may start a formula: at the start of a cell, or after a character that some use as a
 * separator. A program that divides cells at another character than the comma takes quotes behind it for those around a
 * cell, and drops them.
 */
const FORMULA_START =
  /(?:(?<=^|,)[ \u00A0\u3000]*|(?<=[;\t\r\n\u2028\u2029])[" \u00A0\u3000]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
/** Control characters but tab and line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;

/**
 * One record of a CSV file, with its line end. Every cell is quoted; null and undefined are empty. An apostrophe is
 * put before each `=`, `+`, `-` and `@`, full-width forms too, that begins a cell or follows a separator in it, so
 * that no spreadsheet runs it as a formula, with any separator. Control characters are removed. Source: RFC 4180;
 * decisions, section 8, "CSV exports"; OWASP, "CSV Injection".
 */
export function csvRecord(cells: readonly (string | null | undefined)[]): string {
  return `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const harmless = text.replace(CONTROL, '').replace(FORMULA_START, "'$&");
  return `"${harmless.replaceAll('"', '""')}"`;
}
