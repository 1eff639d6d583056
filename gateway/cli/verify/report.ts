import type { CheckResult } from './results.ts';

const MARKS: Readonly<Record<CheckResult['result'], string>> = {
  ok: 'ok',
  different: 'DIFFERENT',
  known: 'known',
  skipped: 'skipped',
};

const TITLES = ['check', 'result', 'ms', 'detail'] as const;

/** The results as a table, and a closing line with their counts. Further lines of a detail stand below the first. */
export function toTable(results: readonly CheckResult[]): string {
  const rows = results.map(({ check, result, detail, ms }) => [check, MARKS[result], String(ms), detail]);
  const widths = TITLES.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const [nameWidth = 0, markWidth = 0, msWidth = 0] = widths;
  const indent = ' '.repeat(nameWidth + markWidth + msWidth + 6);
  const line = ([check = '', result = '', ms = '', detail = '']: readonly string[]) =>
    `${check.padEnd(nameWidth)}  ${result.padEnd(markWidth)}  ${ms.padStart(msWidth)}  ${detail.replaceAll('\n', `\n${indent}`)}`;
  return `${[[...TITLES], ...rows].map(line).join('\n')}\n\n${closingLine(results)}\n`;
}

function closingLine(results: readonly CheckResult[]): string {
  const count = (wanted: CheckResult['result']) => results.filter(({ result }) => result === wanted).length;
  return `${count('ok')} ok, ${count('different')} different, ${count('known')} known, ${count('skipped')} skipped`;
}

/** Whether the database has a difference that is not known. */
export function hasDifference(results: readonly CheckResult[]): boolean {
  return results.some(({ result }) => result === 'different');
}
