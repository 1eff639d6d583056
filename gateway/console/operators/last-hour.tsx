import type { ChartPoint, ChartTone } from '../charts/lines.ts';
import { formatDuration, formatNumber, formatPeriod, namePeriod } from '../format.ts';
import type { DataOf } from '../graph.ts';
import { Chart } from '../parts/chart.tsx';
import { Section } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { language, words, zone } from '../settings.tsx';

type Samples = DataOf<'platformQueues'>['platform']['samples'];

const TONES: readonly ChartTone[] = ['link', 'busy', 'good', 'bad', 'muted'];

/** Waiting work and the lag of the event log in the last hour, a point each minute. */
export function LastHour({ samples }: { readonly samples: Samples }) {
  const { operators: say } = words.value;
  return (
    <Section title={say.lastHour}>
      {samples.length === 0 ? (
        <Empty>{say.noSamples}</Empty>
      ) : (
        <div class="charts">
          <DepthChart samples={samples} />
          <Chart
            title={say.lag}
            format={formatMs}
            points={pointsOf(samples)}
            lines={[
              { kind: 'line', tone: 'busy', label: say.lag, values: samples.map(({ lagMs }) => lagMs) },
            ]}
          />
        </div>
      )}
    </Section>
  );
}

/** The first queue, and those that had something waiting; those with most first. */
function DepthChart({ samples }: { readonly samples: Samples }) {
  const names = [...new Set(samples.flatMap(({ queues }) => queues.map(({ name }) => name)))];
  const depths = names
    .map((name) => ({
      name,
      values: samples.map(({ queues }) => queues.find((one) => one.name === name)?.waiting ?? 0),
    }))
    .filter(({ name, values }) => name === names[0] || values.some((count) => count > 0))
    .toSorted((one, other) => Math.max(...other.values) - Math.max(...one.values))
    .slice(0, TONES.length);
  return (
    <Chart
      title={words.value.operators.queues}
      format={formatCount}
      points={pointsOf(samples)}
      lines={depths.map(({ name, values }, index) => ({
        kind: 'line',
        tone: TONES[index] ?? 'muted',
        label: name,
        values,
      }))}
    />
  );
}

/** Without links: no list has the work of a past minute. */
function pointsOf(samples: Samples): ChartPoint[] {
  return samples.map(({ at }) => ({
    label: formatPeriod(at, 'MINUTE', language.value, zone.value),
    name: namePeriod(at, 'MINUTE', language.value, zone.value),
  }));
}

const formatCount = (value: number) => formatNumber(value, language.value);
const formatMs = (value: number) => formatDuration(value, language.value);
