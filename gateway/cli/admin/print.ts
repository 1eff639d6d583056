import { printable, printableLines } from '../../../subgraphs/kernel/log/printable.ts';
import type { Answer } from './command.ts';

/**
 * The answer of a command as it is written to the terminal: JSON of the rows, or a block of lines for each. Control
 * characters of terminals are escaped, because values may come from partners and receivers.
 */
export function printAnswer({ rows, note, next = [] }: Answer, json: boolean): string {
  if (json) {
    return `${printableLines(JSON.stringify(rows, null, 2))}\n`;
  }
  const blocks = rows.map((row) =>
    Object.entries(row)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `  ${name.padEnd(16)} ${show(value)}`)
      .join('\n'),
  );
  const body = [...(note ? [note] : []), ...(blocks.length > 0 ? blocks : ['  (none)'])].join('\n\n');
  const steps = next.length > 0 ? `\nNext:\n${next.map((step) => `  ${step}`).join('\n')}\n` : '';
  return printableLines(`${body}\n${steps}`);
}

function show(value: unknown): string {
  if (value instanceof Date) {
    return value.toISOString();
  }
  return printable(Array.isArray(value) ? value.join(', ') : String(value));
}
