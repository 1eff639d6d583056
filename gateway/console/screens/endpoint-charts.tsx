import { addressOf } from '../filters.ts';
import { formatDuration, formatNumber, formatPeriod, namePeriod } from '../format.ts';
import type { DataOf } from '../graph.ts';
import { Chart, RankedBars } from '../parts/chart.tsx';
import { language, words, zone } from '../settings.tsx';
import { PATHS } from './paths.ts';

type Health = DataOf<'endpoints'>['me']['webhookEndpoints'][number]['health'];

/** Whether an endpoint had an attempt in the last 24 hours. */
const hadAttempts = ({ hours }: Health) => hours.some(({ delivered, failed }) => delivered + failed > 0);

interface EndpointAttemptsProps {
  readonly id: string;
  /** Whether the times of the webhooks are ahead of those of the attempts: then the hours have no links. */
  readonly isClockAhead: boolean;
  readonly health: Health;
}

/** The attempts at an endpoint in the last 24 hours by hour. Each hour leads to the endpoint's webhooks that were created in it. */
export function EndpointAttempts({ id, isClockAhead, health }: EndpointAttemptsProps) {
  const { charts, values } = words.value;
  const { hours } = health;
  if (!hadAttempts(health)) {
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
          href: isClockAhead
            ? undefined
            : addressOf(PATHS.deliveries, { endpointId: id, from, to: hourAfter(from) }),
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
    </div>
  );
}

function hourAfter(instant: string): string {
  return new Date(Date.parse(instant) + 3_600_000).toISOString();
}

const formatCount = (value: number) => formatNumber(value, language.value);

/** The same attempts by duration, folded: most of the rows are 0. */
export function EndpointLatency({ health }: { readonly health: Health }) {
  const { charts } = words.value;
  const { latency: of } = health;
  if (!hadAttempts(health)) {
    return null;
  }
  const bounds = of.flatMap(({ upToMs }) => upToMs ?? []);
  const longest = formatDuration(bounds.at(-1) ?? 0, language.value);
  return (
    <details>
      <summary>{charts.latency}</summary>
      <RankedBars
        title={charts.latency}
        tone="busy"
        format={formatCount}
        rows={of.map(({ upToMs, count }) => ({
          key: String(upToMs),
          label:
            upToMs === null ? charts.longer(longest) : charts.upTo(formatDuration(upToMs, language.value)),
          count,
        }))}
      />
    </details>
  );
}
