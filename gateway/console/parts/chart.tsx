import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChartLine, ChartPoint, ChartTone } from '../charts/lines.ts';
import { theme, words } from '../settings.tsx';

interface ChartProps {
  readonly title: string;
  readonly points: readonly ChartPoint[];
  readonly lines: readonly ChartLine[];
  /** A value for people. */
  readonly format: (value: number) => string;
}

/** A chart with its legend, and a table that has the same values and the same links. */
export function Chart(props: ChartProps) {
  const { title, lines } = props;
  const plot = usePlot();
  const [isOpen, setOpen] = useState(false);
  return (
    <figure class="chart">
      <figcaption>
        <h3>{title}</h3>
        <ul class="legend">
          {lines.map(({ label, tone, kind, isDashed }) => (
            <li key={label}>
              <span class={`mark-${kind} tone-${tone} ${isDashed ? 'dashed' : ''}`} aria-hidden="true" />{' '}
              {label}
            </li>
          ))}
        </ul>
      </figcaption>
      {plot !== 'failed' && <Plot {...props} plot={plot} />}
      <details open={plot === 'failed'} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          {words.value.charts.table} <span class="hidden">{title}</span>
        </summary>
        {isOpen && <ChartTable {...props} />}
      </details>
    </figure>
  );
}

type PlotModule = typeof import('../charts/plot.tsx');

/** The code that draws charts. Pages without charts do not load it. Without it, the tables show the values. */
function usePlot(): PlotModule | 'failed' | undefined {
  const [plot, setPlot] = useState<PlotModule | 'failed'>();
  useEffect(() => {
    import('../charts/plot.tsx').then(setPlot, () => setPlot('failed'));
  }, []);
  return plot;
}

function Plot({ points, lines, format, plot }: ChartProps & { readonly plot: PlotModule | undefined }) {
  const root = useRef<HTMLDivElement>(null);
  const isDark = useDark();
  const colors = theme.value;
  const key = JSON.stringify([points, lines]);
  // The key stands for the points and lines; the theme changes colours.
  useEffect(
    () => (root.current && plot ? plot.drawPlot(root.current, { points, lines, format }) : undefined),
    [plot, key, format, isDark, colors],
  );
  return <div class="plot" ref={root} />;
}

const DARK = '(prefers-color-scheme: dark)';

/** Whether the system has dark colours. */
function useDark(): boolean {
  const [isDark, setDark] = useState(() => matchMedia(DARK).matches);
  useEffect(() => {
    const query = matchMedia(DARK);
    const follow = () => setDark(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return isDark;
}

function ChartTable({ title, points, lines, format }: ChartProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (WCAG 2.1.1).
    <section class="table" aria-label={title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.value.charts.time}</th>
            {lines.map(({ label }) => (
              <th key={label} scope="col" class="right">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(({ name, href }, index) => (
            <tr key={name}>
              <th scope="row">
                <Linked href={href}>{name}</Linked>
              </th>
              {lines.map(({ label, values }) => {
                const value = values[index];
                return (
                  <td key={label} class="right">
                    {value === null || value === undefined ? words.value.common.none : format(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface LinkedProps {
  readonly href: string | undefined;
  readonly children: string;
}

/** A link, or only its text where there is nothing to lead to. */
function Linked({ href, children }: LinkedProps) {
  return href === undefined ? children : <a href={href}>{children}</a>;
}

/** A row of ranked bars. */
interface RankedRow {
  readonly key: string;
  readonly label: string;
  /** The list of the records that it counts; absent where no list selects them. */
  readonly href?: string | undefined;
  readonly count: number;
  /** Beside the count. */
  readonly note?: ComponentChildren;
}

interface RankedBarsProps {
  readonly title: string;
  readonly tone: ChartTone;
  readonly rows: readonly RankedRow[];
  readonly format: (value: number) => string;
}

/** Counts with bars, the greatest first: a table whose bars repeat the numbers visually. */
export function RankedBars({ title, tone, rows, format }: RankedBarsProps) {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <section class="table" aria-label={title}>
      <table class="ranked">
        <tbody>
          {rows.map(({ key, label, href, count, note }) => (
            <tr key={key}>
              <th scope="row">
                <Linked href={href}>{label}</Linked>
              </th>
              <td class="bar">
                <svg viewBox={`0 0 ${most} 1`} preserveAspectRatio="none" aria-hidden="true">
                  <rect class={`tone-${tone}`} width={count} height={1} />
                </svg>
              </td>
              <td class="right">{format(count)}</td>
              {note !== undefined && <td class="right">{note}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
