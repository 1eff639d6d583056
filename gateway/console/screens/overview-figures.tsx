import { useLocation } from 'preact-iso';
import { formatDuration, formatMoney, formatNumber, formatShare } from '../format.ts';
import { FigureCard } from '../parts/figure-card.tsx';
import { Section } from '../parts/page.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { isNamed, Status } from '../parts/values.tsx';
import { type ChartRange, changeOf, readRange, type Span, todayAndLastWeek } from '../range.ts';
import { isSandbox } from '../session.tsx';
import { language, timeZone, words, zone } from '../settings.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';
import { FigureCharts } from './figure-charts.tsx';
import {
  contextOf,
  type FigureContext,
  type OverviewData,
  SUBJECTS,
  type Subject,
  volumeOf,
} from './figure-context.ts';
import { RangePicker } from './range-picker.tsx';

/** The maximum age of figures while the page is visible. */
const FRESH_MS = 30_000;

/** Figures of a range of time beside those of the time before, as cards and charts. */
export function OverviewFigures() {
  const { query } = useLocation();
  const now = new Date();
  const range = readRange(query, now, zone.value, isSandbox());
  const subject = SUBJECTS.find((one) => one === query.of) ?? 'OPERATION';
  return (
    <Section title={words.value.charts.title}>
      {typeof range === 'string' ? (
        <RangePicker
          range={{ name: 'custom', from: query.from ?? '', to: query.to ?? '' }}
          subject={subject}
          problem={range}
        />
      ) : (
        <FiguresOf range={range} subject={subject} now={now} />
      )}
    </Section>
  );
}

interface FiguresOfProps {
  readonly range: ChartRange;
  readonly subject: Subject;
  readonly now: Date;
}

function FiguresOf({ range, subject, now }: FiguresOfProps) {
  const { today, lastWeek } = todayAndLastWeek(now, zone.value);
  const query = useQuery('overviewFigures', {
    of: subject,
    by: range.by,
    timeZone: timeZone.value,
    from: range.from,
    to: range.to,
    beforeFrom: range.before.from,
    beforeTo: range.before.to,
    todayFrom: today.from,
    todayTo: today.to,
    weekFrom: lastWeek.from,
    weekTo: lastWeek.to,
  });
  useFresh(query, true, FRESH_MS);
  const { data, error, reload } = query;
  const context = contextOf(range, subject);
  return (
    <>
      <RangePicker range={range} subject={subject} />
      {error && <Failed error={error} onRetry={reload} />}
      {!data && !error && <Loading place="figures" />}
      {data && (
        <>
          <div class="cards">
            <TodayCard data={data} context={context} today={today} />
            <TotalCards data={data} context={context} />
            <VolumeCards data={data} context={context} />
            <WebhookCards data={data} context={context} />
          </div>
          {data.before.total.created === 0 && <p class="none">{words.value.charts.noComparison}</p>}
          <StatusCounts data={data} context={context} />
          <FigureCharts data={data} context={context} />
        </>
      )}
    </>
  );
}

interface CardsProps {
  readonly data: OverviewData;
  readonly context: FigureContext;
}

/** Today's failure rate beside that of the same day last week, and its course over the range. */
function TodayCard({ data, context, today }: CardsProps & { readonly today: Span }) {
  const { charts } = words.value;
  const [now, before] = [failureRate(data.today.total), failureRate(data.lastWeek.total)];
  return (
    <FigureCard
      label={charts.failedToday}
      value={shareOf(now)}
      href={context.listOf(today, context.failed)}
      change={changeOf(now, before)}
      isUpGood={false}
      comparison={charts.lastWeek(shareOf(before))}
      values={data.now.series.map(failureRate)}
      isBad={now !== null && before !== null && now > before}
    />
  );
}

function failureRate({ completed, failed, cancelled }: OverviewData['today']['total']): number | null {
  const ended = completed + failed + cancelled;
  return ended === 0 ? null : failed / ended;
}

function TotalCards({ data: { now, before }, context }: CardsProps) {
  const { charts } = words.value;
  const { range, listOf, failed } = context;
  const { total, series } = now;
  return (
    <>
      <FigureCard
        label={charts.created}
        value={formatNumber(total.created, language.value)}
        href={listOf(range)}
        change={changeOf(total.created, before.total.created)}
        values={series.map(({ created }) => created)}
      />
      <FigureCard
        label={charts.successRate}
        value={shareOf(total.successRate)}
        href={listOf(range, failed)}
        change={changeOf(total.successRate, before.total.successRate)}
        isUpGood
        values={series.map(({ successRate }) => successRate)}
      />
      <FigureCard
        label={charts.median}
        value={durationOf(total.medianMs)}
        href={listOf(range, ['COMPLETED'])}
        change={changeOf(total.medianMs, before.total.medianMs)}
        isUpGood={false}
        values={series.map(({ medianMs }) => medianMs)}
      />
    </>
  );
}

/** The records by status. */
function StatusCounts({ data, context: { listOf, range } }: CardsProps) {
  return (
    <ul class="counts">
      {data.now.total.statuses.map(
        ({ status, count }) =>
          isNamed(status) && (
            <li key={status}>
              <a href={listOf(range, [status])}>
                <Status value={status} /> <strong>{formatNumber(count, language.value)}</strong>
              </a>
            </li>
          ),
      )}
    </ul>
  );
}

/** The completed volume of each currency. */
function VolumeCards({ data: { now, before }, context: { range, filteredListOf } }: CardsProps) {
  const { charts } = words.value;
  return (
    <>
      {now.total.volume.map(({ currency, completed: { amount } }) => (
        <FigureCard
          key={currency}
          label={charts.volume(currency)}
          value={formatMoney({ amount, currency }, language.value)}
          href={filteredListOf(range, { currency }, ['COMPLETED'])}
          change={changeOf(Number(amount), volumeOf(before.total, currency))}
          values={now.series.map((period) => volumeOf(period, currency))}
        />
      ))}
    </>
  );
}

function WebhookCards({ data: { webhooks, webhooksBefore }, context: { webhooksOf, range } }: CardsProps) {
  const { charts } = words.value;
  const [now, before] = [webhooks.total, webhooksBefore.total];
  return (
    <>
      <FigureCard
        label={charts.webhookSuccess}
        value={shareOf(now.successRate)}
        href={webhooksOf(range, 'DEAD_LETTERED')}
        change={changeOf(now.successRate, before.successRate)}
        isUpGood
        values={webhooks.series.map(({ successRate }) => successRate)}
      />
      <FigureCard
        label={charts.webhookMedian}
        value={durationOf(now.medianMs)}
        href={webhooksOf(range, 'DELIVERED')}
        change={changeOf(now.medianMs, before.medianMs)}
        isUpGood={false}
        values={webhooks.series.map(({ medianMs }) => medianMs)}
      />
    </>
  );
}

function shareOf(share: number | null): string {
  return share === null ? words.value.common.none : formatShare(share, language.value);
}

function durationOf(ms: number | null): string {
  return ms === null ? words.value.common.none : formatDuration(ms, language.value);
}
