import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { BUSIEST } from '../simulate/plan.ts';

const text = readFileSync('deploy/capacity.md', 'utf8');

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

test('the costs of other calls are those that the benchmarks have measured', () => {
  const measured = readFileSync('test/bench/README.md', 'utf8');
  const [create = [], lookUp = [], delivery = []] = table('Call');
  expect(measured).toContain(`| ${create[4]} / 8.1 | ${create[1]} / `);
  expect(measured).toContain(`| ${lookUp[4]} / 1.00 | ${lookUp[1]} / `);
  expect(measured).toContain(`${delivery[2]} ms of processor time`);
});

test('the autoscalers leave as much of a processor free as the simulation plans', () => {
  for (const file of ['gateway', 'worker']) {
    expect(readFileSync(`deploy/kubernetes/base/${file}.yaml`, 'utf8')).toContain(
      `averageValue: ${BUSIEST * 1_000}m`,
    );
  }
});
