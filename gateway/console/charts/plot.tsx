import uPlot from 'uplot';
import type { ChartLine, ChartPoint } from './lines.ts';

/** A chart to draw. */
interface PlotOptions {
  readonly points: readonly ChartPoint[];
  readonly lines: readonly ChartLine[];
  /** A value for people, short. */
  readonly format: (value: number) => string;
}

/** The widest label of a value, in pixels. */
const AXIS_WIDTH = 64;
const FONT = '11px system-ui, sans-serif';

/**
 * Draws a chart, and redraws it when its element changes its size. Bars stand on each other in the order of the lines. Over each point lies its
 * link, if it has one, with its values as a title; keyboards and screen readers have the same in the table below the chart.
 * @returns removes it
 */
export function drawPlot(root: HTMLElement, { points, lines, format }: PlotOptions): () => void {
  const bars = lines.filter(({ kind }) => kind === 'bar');
  // The highest stack is drawn first: each lower one covers a part of it.
  const shown = [...bars.toReversed(), ...lines.filter(({ kind }) => kind === 'line')];
  const color = (name: string) => colorOf(root, name);
  const axis = { font: FONT, stroke: color('muted'), ticks: { show: false } };
  const plot = new uPlot(
    {
      ...sizeOf(root),
      padding: [8, 8, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false },
      scales: {
        x: { time: false, range: () => [-0.5, points.length - 0.5] },
        y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.05 : 1] },
      },
      axes: [
        {
          ...axis,
          size: 24,
          grid: { show: false },
          incrs: [1, 2, 3, 6, 7, 14, 30],
          values: (_plot, splits) => splits.map((split) => points[split]?.label ?? ''),
        },
        {
          ...axis,
          size: AXIS_WIDTH,
          grid: { stroke: color('line'), width: 1 },
          ...(bars.length > 0 && { incrs: WHOLE_STEPS }),
          values: (_plot, splits) => splits.map(format),
        },
      ],
      series: [{}, ...shown.map((line) => seriesOf(line, color(line.tone)))],
    },
    [points.map((_point, index) => index), ...shown.map((line) => valuesOf(line, bars))],
    root,
  );
  plot.over.append(spotsOf(points, lines, format));
  const resized = new ResizeObserver(() => plot.setSize(sizeOf(root)));
  resized.observe(root);
  return () => {
    resized.disconnect();
    plot.destroy();
  };
}

/** Steps of the axis of bars, which count: 1, 2, 5, 10, … */
const WHOLE_STEPS = Array.from({ length: 16 }, (_, digits) =>
  [1, 2, 5].map((step) => step * 10 ** digits),
).flat();

function sizeOf({ clientWidth: width, clientHeight: height }: HTMLElement) {
  return { width, height };
}

function seriesOf({ kind, isDashed }: ChartLine, stroke: string): uPlot.Series {
  return kind === 'bar'
    ? { fill: stroke, width: 0, points: { show: false }, ...barPaths() }
    : {
        stroke,
        width: 2,
        ...(isDashed && { dash: [4, 4] }),
        points: { show: !isDashed, size: 5, fill: stroke },
      };
}

function barPaths(): Pick<uPlot.Series, 'paths'> {
  const paths = uPlot.paths.bars?.({ size: [0.7, 48] });
  return paths ? { paths } : {};
}

/** The values of a line; those of a bar with the bars below it. */
function valuesOf(line: ChartLine, bars: readonly ChartLine[]): (number | null)[] {
  if (line.kind === 'line') {
    return [...line.values];
  }
  const below = bars.slice(0, bars.indexOf(line) + 1);
  return line.values.map((_value, index) => below.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
}

/** A place over each point, which is a link if the point has one. Its title shows the values. */
function spotsOf(
  points: readonly ChartPoint[],
  lines: readonly ChartLine[],
  format: PlotOptions['format'],
): HTMLElement {
  const spots = document.createElement('div');
  spots.className = 'plot-links';
  spots.setAttribute('aria-hidden', 'true');
  for (const [index, { name, href }] of points.entries()) {
    const spot = href === undefined ? document.createElement('span') : linkTo(href);
    const values = lines.map(({ label, values: all }) => {
      const value = all[index];
      return value === null || value === undefined ? undefined : `${label}: ${format(value)}`;
    });
    spot.title = [name, ...values.filter((value) => value !== undefined)].join('\n');
    spots.append(spot);
  }
  return spots;
}

function linkTo(href: string): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = href;
  link.tabIndex = -1;
  return link;
}

/** A colour of the present theme, as the canvas takes it. */
function colorOf(root: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.className = `tone-${name}`;
  root.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
