import { readFileSync } from 'node:fs';
import { namedRange, RANGE_NAMES, todayAndLastWeek } from '../../gateway/console/range.ts';
import { fillFigures } from '../support/fill-figures.ts';
import { exchangeWith } from '../support/http.ts';
import { queryGraph } from '../support/money-requests.ts';
import { KEYS } from '../support/seed.ts';
import { judge } from './compare.ts';
import { median, percentile } from './load.ts';
import type { LoadedServer } from './processes.ts';
import { type BenchDatabase, say, table } from './stand.ts';

const CALLS = 100;
/** Of the whole query, in milliseconds. */
const P95_GOAL = 150;

interface Answer {
  readonly now: { readonly total: { readonly created: number }; readonly series: readonly unknown[] };
}

/** Measures the query of the console's overview, for each of its ranges. @throws when its figures count nothing */
export async function measureOverview({ url }: LoadedServer, { connection }: BenchDatabase): Promise<void> {
  const started = performance.now();
  await fillFigures(connection);
  say(`Counted all operations into the figures in ${((performance.now() - started) / 1_000).toFixed(0)} s.`);
  const document = readFileSync('gateway/console/documents/overviewFigures.graphql', 'utf8');
  const rows: string[][] = [];
  for (const range of RANGE_NAMES) {
    const ask = async () => {
      const { data, errors } = await queryGraph<Answer>(
        exchangeWith(url),
        document,
        variablesOf(range),
        KEYS.acme,
      );
      if (errors !== undefined || !data || data.now.total.created === 0) {
        throw new Error(`${range}: ${JSON.stringify(errors ?? data)}`);
      }
      return data.now;
    };
    const { total, series } = await ask();
    const times: number[] = [];
    for (let call = 0; call < CALLS; call += 1) {
      const from = performance.now();
      await ask();
      times.push(performance.now() - from);
    }
    const p95 = percentile(times, 0.95);
    rows.push([
      range,
      String(total.created),
      String(series.length),
      median(times).toFixed(1),
      `${p95.toFixed(1)} (${judge.verdict(p95 <= P95_GOAL)})`,
    ]);
  }
  table(['overview', 'operations', 'periods', 'p50 ms', `p95 ms (goal ${P95_GOAL})`], rows, 1);
}

function variablesOf(range: (typeof RANGE_NAMES)[number]): Record<string, unknown> {
  const now = new Date();
  const { from, to, by, before } = namedRange(range, now, 'utc');
  const { today, lastWeek } = todayAndLastWeek(now, 'utc');
  return {
    ...{ of: 'OPERATION', by, timeZone: 'America/Mexico_City', from, to },
    ...{ beforeFrom: before.from, beforeTo: before.to },
    ...{ todayFrom: today.from, todayTo: today.to, weekFrom: lastWeek.from, weekTo: lastWeek.to },
  };
}
