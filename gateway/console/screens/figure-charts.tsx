import type { ChartPoint } from '../charts/lines.ts';
import {
  formatDuration,
  formatNumber,
  formatPeriod,
  formatShare,
  formatShort,
  namePeriod,
} from '../format.ts';
import { Chart, RankedBars } from '../parts/chart.tsx';
import { Section } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import type { Span } from '../range.ts';
import { language, words, zone } from '../settings.tsx';
import { type FigureContext, type OverviewData, volumeOf } from './figure-context.ts';

interface FigureChartsProps {
  readonly data: OverviewData;
  readonly context: FigureContext;
}

/** The courses of the figures, and rankings. */
export function FigureCharts({ data, context }: FigureChartsProps) {
  const { charts } = words.value;
  return (
    <>
      <Section title={charts.courses}>
        <div class="charts">
          <CountChart data={data} context={context} />
          <RateChart data={data} context={context} />
          <MedianChart data={data} context={context} />
          {data.now.total.volume.map(({ currency }) => (
            <VolumeChart key={currency} data={data} context={context} currency={currency} />
          ))}
          <WebhookChart data={data} context={context} />
          <LatencyChart data={data} context={context} />
        </div>
      </Section>
      <div class="pair">
        <Corridors data={data} context={context} />
        <Causes data={data} context={context} />
      </div>
    </>
  );
}

/** The periods of a series as points, each with the list of its records. */
function pointsOf(
  series: readonly Span[],
  { range }: FigureContext,
  hrefOf: (span: Span) => string | undefined,
): ChartPoint[] {
  return series.map((period) => ({
    label: formatPeriod(period.from, range.by, language.value, zone.value),
    name: namePeriod(period.from, range.by, language.value, zone.value),
    href: hrefOf(period),
  }));
}

const formatCount = (value: number) => formatNumber(value, language.value);
const formatRate = (value: number) => formatShare(value, language.value);
const formatMs = (value: number) => formatDuration(value, language.value);
const formatVolume = (value: number) => formatShort(value, language.value);

function CountChart({ data: { now, before }, context }: FigureChartsProps) {
  const { charts, values } = words.value;
  const { series } = now;
  return (
    <Chart
      title={charts.created}
      points={pointsOf(series, context, (period) => context.listOf(period))}
      format={formatCount}
      lines={[
        {
          kind: 'bar',
          tone: 'good',
          label: values.COMPLETED,
          values: series.map(({ completed }) => completed),
        },
        { kind: 'bar', tone: 'bad', label: values.FAILED, values: series.map(({ failed }) => failed) },
        { kind: 'bar', tone: 'muted', label: values.CANCELLED, values: series.map((one) => one.cancelled) },
        {
          kind: 'bar',
          tone: 'busy',
          label: values.IN_PROGRESS,
          values: series.map((one) => one.created - one.completed - one.failed - one.cancelled),
        },
        {
          kind: 'line',
          isDashed: true,
          tone: 'link',
          label: charts.before,
          values: series.map((_one, index) => before.series[index]?.created ?? null),
        },
      ]}
    />
  );
}

function RateChart({ data: { now, before }, context }: FigureChartsProps) {
  const { charts } = words.value;
  return (
    <Chart
      title={charts.successRate}
      points={pointsOf(now.series, context, (period) => context.listOf(period, context.failed))}
      format={formatRate}
      lines={[
        {
          kind: 'line',
          tone: 'good',
          label: charts.successRate,
          values: now.series.map((one) => one.successRate),
        },
        {
          kind: 'line',
          isDashed: true,
          tone: 'link',
          label: charts.before,
          values: now.series.map((_one, index) => before.series[index]?.successRate ?? null),
        },
      ]}
    />
  );
}

function MedianChart({ data: { now, before }, context }: FigureChartsProps) {
  const { charts } = words.value;
  return (
    <Chart
      title={charts.median}
      points={pointsOf(now.series, context, (period) => context.listOf(period, ['COMPLETED']))}
      format={formatMs}
      lines={[
        { kind: 'line', tone: 'busy', label: charts.median, values: now.series.map((one) => one.medianMs) },
        {
          kind: 'line',
          isDashed: true,
          tone: 'link',
          label: charts.before,
          values: now.series.map((_one, index) => before.series[index]?.medianMs ?? null),
        },
      ]}
    />
  );
}

function VolumeChart({
  data: { now },
  context,
  currency,
}: FigureChartsProps & { readonly currency: string }) {
  const title = words.value.charts.volume(currency);
  return (
    <Chart
      title={title}
      points={pointsOf(now.series, context, (period) =>
        context.filteredListOf(period, { currency }, ['COMPLETED']),
      )}
      format={formatVolume}
      lines={[
        { kind: 'bar', tone: 'link', label: title, values: now.series.map((one) => volumeOf(one, currency)) },
      ]}
    />
  );
}

function WebhookChart({ data: { webhooks }, context }: FigureChartsProps) {
  const { charts, nav, values } = words.value;
  const { series } = webhooks;
  return (
    <Chart
      title={nav.deliveries}
      points={pointsOf(series, context, (period) => context.webhooksOf(period))}
      format={formatCount}
      lines={[
        {
          kind: 'bar',
          tone: 'good',
          label: values.DELIVERED,
          values: series.map(({ completed }) => completed),
        },
        { kind: 'bar', tone: 'bad', label: values.DEAD_LETTERED, values: series.map(({ failed }) => failed) },
        {
          kind: 'bar',
          tone: 'busy',
          label: charts.open,
          values: series.map(({ created, completed, failed }) => created - completed - failed),
        },
      ]}
    />
  );
}

function LatencyChart({ data: { webhooks }, context }: FigureChartsProps) {
  const { charts } = words.value;
  return (
    <Chart
      title={charts.webhookMedian}
      points={pointsOf(webhooks.series, context, (period) => context.webhooksOf(period, 'DELIVERED'))}
      format={formatMs}
      lines={[
        {
          kind: 'line',
          tone: 'busy',
          label: charts.webhookMedian,
          values: webhooks.series.map(({ medianMs }) => medianMs),
        },
      ]}
    />
  );
}

function Corridors({ data: { now }, context: { range, filteredListOf } }: FigureChartsProps) {
  const { charts } = words.value;
  const names = new Intl.DisplayNames(language.value, { type: 'region' });
  return (
    <Section title={charts.corridors}>
      {now.total.corridors.length === 0 ? (
        <Empty>{charts.noCorridors}</Empty>
      ) : (
        <RankedBars
          title={charts.corridors}
          tone="link"
          format={formatCount}
          rows={now.total.corridors.map(({ sourceCountry, destinationCountry, created, completed }) => ({
            key: `${sourceCountry}-${destinationCountry}`,
            label: `${names.of(sourceCountry)} → ${names.of(destinationCountry)}`,
            href: filteredListOf(range, { sourceCountry, destinationCountry }),
            count: created,
            note: charts.completed(formatCount(completed)),
          }))}
        />
      )}
    </Section>
  );
}

function Causes({ data: { now }, context: { range, filteredListOf, failed } }: FigureChartsProps) {
  const { charts, values } = words.value;
  return (
    <Section title={charts.causes}>
      {now.total.causes.length === 0 ? (
        <Empty>{charts.noFailures}</Empty>
      ) : (
        <RankedBars
          title={charts.causes}
          tone="bad"
          format={formatCount}
          rows={now.total.causes.map(({ cause, count }) => ({
            key: cause,
            label: cause === 'REJECTED' ? charts.rejected : values[cause],
            href: filteredListOf(range, { failureCause: cause }, failed),
            count,
          }))}
        />
      )}
    </Section>
  );
}
