import { addressOf } from '../filters.ts';
import { formatDuration, formatNumber, formatPeriod, namePeriod } from '../format.ts';
import type { DataOf } from '../graph.ts';
import { Chart, RankedBars } from '../parts/chart.tsx';
import { language, words, zone } from '../settings.tsx';
import { PATHS } from './paths.ts';

type Health = DataOf<'endpoints'>['me']['webhookEndpoints'][number]['health'];

const HOUR_MS = 3_600_000;

/** The attempts at an endpoint in the last 24 hours, by hour and by duration. */
export function EndpointCharts({ health: { hours, latency } }: { readonly health: Health }) {
  const { charts, values } = words.value;
  if (hours.every(({ delivered, failed }) => delivered + failed === 0)) {
    return <p>{charts.noAttempts}</p>;
  }
  return (
    <div class="charts">
      <Chart
        title={charts.attempts}
        format={formatCount}
        points={hours.map(({ from }) => ({
          label: formatPeriod(from, 'HOUR', language.value, zone.value),
          name: namePeriod(from, 'HOUR', language.value, zone.value),
          href: webhooksOf(from, new Date(Date.parse(from) + HOUR_MS).toISOString()),
        }))}
        lines={[
          {
            kind: 'bar',
            tone: 'good',
            label: values.SUCCESS,
            values: hours.map(({ delivered }) => delivered),
          },
          {
            kind: 'bar',
            tone: 'bad',
            label: charts.failedAttempts,
            values: hours.map(({ failed }) => failed),
          },
        ]}
      />
      <Latency of={latency} since={hours[0]?.from ?? ''} />
    </div>
  );
}

const formatCount = (value: number) => formatNumber(value, language.value);

function webhooksOf(from: string, to: string): string {
  return addressOf(PATHS.deliveries, { from, to });
}

function Latency({ of, since }: { readonly of: Health['latency']; readonly since: string }) {
  const { charts } = words.value;
  const bounds = of.flatMap(({ upToMs }) => upToMs ?? []);
  const longest = formatDuration(bounds.at(-1) ?? 0, language.value);
  return (
    <div>
      <h3>{charts.latency}</h3>
      <RankedBars
        title={charts.latency}
        tone="busy"
        format={formatCount}
        rows={of.map(({ upToMs, count }) => ({
          key: String(upToMs),
          label:
            upToMs === null ? charts.longer(longest) : charts.upTo(formatDuration(upToMs, language.value)),
          href: addressOf(PATHS.deliveries, { from: since }),
          count,
        }))}
      />
    </div>
  );
}
