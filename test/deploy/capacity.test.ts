import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const text = readFileSync('deploy/capacity.md', 'utf8');

/** Events that an atomic call and its webhook write (subgraphs/runtime/events/README.md). */
const EVENTS_A_CALL = 8;
/** The autoscalers' 600m. */
const MOST_OF_A_PROCESSOR = 0.6;

/** The cells of the rows of the table whose head begins so. */
function table(head: string): string[][] {
  const lines = text.slice(text.indexOf(`| ${head} |`)).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const numberOf = (cell = ''): number => Number(cell.replaceAll(',', ''));
const oneDecimal = (value: number): string => (Math.round(value * 10) / 10).toFixed(1);
const processes = (processors: number): number =>
  Math.max(2, Math.ceil(Number((processors / MOST_OF_A_PROCESSOR).toFixed(6))));

test('the table of atomic calls follows from the costs by the formula', () => {
  const [atomic = []] = table('Call');
  expect(atomic[0]).toContain('atomic call');
  const [front = 0, workers = 0, store = 0, commands = 0] = atomic.slice(1, 5).map(numberOf);
  const rows = table('Calls/s');
  expect(rows.map(([calls]) => calls)).toEqual(['10', '100', '1,000']);
  for (const row of rows) {
    const calls = numberOf(row[0]);
    const processors = (ms: number) => (calls * ms) / 1_000;
    expect(row).toEqual([
      row[0],
      oneDecimal(processors(front)),
      String(processes(processors(front))),
      oneDecimal(processors(workers)),
      String(processes(processors(workers))),
      oneDecimal(processors(store)),
      Math.round(calls * commands).toLocaleString('en'),
      (calls * EVENTS_A_CALL).toLocaleString('en'),
    ]);
  }
});

test('the costs are those that the benchmarks have measured', () => {
  const measured = readFileSync('test/bench/README.md', 'utf8');
  const [atomic = [], create = [], lookUp = [], delivery = []] = table('Call');
  const total = numberOf(atomic[1]) + numberOf(atomic[2]);
  expect(measured).toContain(`| ${atomic[4]} | ${oneDecimal(total)} / ${atomic[3]} / ${atomic[2]} |`);
  expect(measured).toContain(`| ${create[4]} / 8.1 | ${create[1]} / `);
  expect(measured).toContain(`| ${lookUp[4]} / 1.00 | ${lookUp[1]} / `);
  expect(measured).toContain(`${delivery[2]} ms of processor time`);
});

test('the autoscalers leave as much of a processor free', () => {
  for (const file of ['gateway', 'worker']) {
    expect(readFileSync(`deploy/kubernetes/base/${file}.yaml`, 'utf8')).toContain(
      `averageValue: ${MOST_OF_A_PROCESSOR * 1_000}m`,
    );
  }
});
