import { describeRatio, judge, ratioOf } from '../compare.ts';
import type { ContestantId } from './contestants.ts';
import type { LineUp } from './line-up.ts';
import type { Comparison } from './measure.ts';
import type { QueryName } from './queries.ts';

/** Requests per second of one as a multiple of another's. */
const GOALS: readonly { of: ContestantId; over: ContestantId; least: Readonly<Record<QueryName, number>> }[] =
  [
    { of: 'in-process', over: 'monolith', least: { list: 0.7, deep: 0.7 } },
    { of: 'in-process', over: 'hive-router', least: { list: 2.5, deep: 2.5 } },
    { of: 'over-http', over: 'hive-router', least: { list: 1.2, deep: 1 } },
    { of: 'over-http', over: 'hive-gateway', least: { list: 2.5, deep: 2.5 } },
    { of: 'over-http', over: 'apollo-gateway', least: { list: 6, deep: 6 } },
  ];

/** Writes a line of the report. */
export function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** A table in Markdown, which is what README.md takes. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [header, header.map(() => '---'), ...rows];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  for (const line of lines) {
    say(`| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  }
  say();
}

/** Prints all figures, who was not measured, and which goals were met. */
export function report(comparisons: readonly Comparison[], missing: LineUp['missing']): void {
  for (const { query, connections, figures } of comparisons) {
    say(`Query "${query}", ${connections} connections`);
    say();
    table(
      ['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs a request', 'RSS MiB'],
      figures.map(({ name, perSecond, p50, p99, processorMicros, residentMiB }) => [
        name,
        format(perSecond),
        p50.toFixed(1),
        p99.toFixed(1),
        format(processorMicros),
        format(residentMiB),
      ]),
    );
  }
  for (const { name, reason } of missing) {
    say(`${name}: not measured: ${reason}`);
  }
  reportGoals(comparisons);
}

function reportGoals(comparisons: readonly Comparison[]): void {
  const header = [
    'ratio',
    'goal: list, deep',
    ...comparisons.map((one) => `${one.query}, ${one.connections}`),
  ];
  const rows = GOALS.map(({ of, over, least }) => {
    const cells = comparisons.map(({ query, figures }) => {
      const find = (id: ContestantId) => figures.find((one) => one.id === id)?.rounds;
      const [rounds, others] = [find(of), find(over)];
      if (rounds === undefined || others === undefined) {
        return 'not measured';
      }
      const ratio = ratioOf(rounds, others);
      return `${describeRatio(ratio)} ${judge.verdict(ratio.median >= least[query])}`;
    });
    return [`${of} / ${over}`, `${least.list}, ${least.deep}`, ...cells];
  });
  table(header, rows);
}

function format(value: number): string {
  return Number.isNaN(value) ? '?' : Math.round(value).toLocaleString('en');
}
