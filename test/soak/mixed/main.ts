import { parseArgs } from 'node:util';
import { say, table, withStand } from '../../bench/stand.ts';
import { fitLine } from '../../bench/trend.ts';
import { type Course, runMixedSoak } from './run.ts';

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, subscribers: { type: 'string', default: '200' } },
});
const seconds = Number(options.minutes) * 60;
/** A short run has as many samples as a line needs, and no more than a server has time for: each collects its garbage twice. */
const SAMPLES = 20;
const LEAST_SECONDS = 3;
const MINUTE = 60;
const HOUR = 3_600;

/**
 * `npm run soak:mixed [-- --minutes N --subscribers N]`: all kinds of work at a modest rate. Ends with a verdict; the exit code
 * is 0 when nothing was lost or doubled, and nothing that the server holds rises.
 */
await withStand(async (stand) => {
  const { courses, ledger, problems } = await runMixedSoak({
    stand,
    seconds,
    everySeconds: Math.min(MINUTE, Math.max(LEAST_SECONDS, seconds / SAMPLES)),
    subscribers: Number(options.subscribers),
    rates: 1,
    patienceMs: 120_000,
    progress: say,
  });
  say('');
  table(['held', 'first', 'least', 'most', 'last', 'an hour', '± noise', 'course'], courses.map(rowOf), 1);
  say('');
  table(
    ['counted', 'expected', 'found', 'more than once'],
    ledger.map(({ name, expected, found, repeated }) => [name, ...[expected, found, repeated].map(String)]),
    1,
  );
  for (const problem of problems) {
    say(`  ${problem}`);
  }
  say(problems.length === 0 ? 'It holds.' : `It does not hold: ${problems.length} problems.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
});

function rowOf({ name, points, judged, trend }: Course): string[] {
  const values = points.map(({ value }) => value);
  const { slope, error } = fitLine(judged);
  const figures = [
    values[0],
    Math.min(...values),
    Math.max(...values),
    values.at(-1),
    slope * HOUR,
    error * HOUR,
  ];
  return [name, ...figures.map((figure) => Number(figure).toFixed(1)), trend];
}
