import { printable, printableLines } from '../../../subgraphs/kernel/log/printable.ts';
import { isRecord } from '../../../subgraphs/kernel/objects.ts';
import type { Answer } from './command.ts';

/**
 * The answer of a command as it is written to the terminal: JSON of the rows, or a block of lines for each. Control
 * characters of terminals are escaped, because values may come from partners and receivers.
 */
export function printAnswer({ rows, text, note, next = [] }: Answer, json: boolean): string {
  if (text !== undefined) {
    return text;
  }
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
  if (Array.isArray(value)) {
    return printable(value.join(', '));
  }
  return printable(isRecord(value) ? JSON.stringify(value) : String(value));
}
