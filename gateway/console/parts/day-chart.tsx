import type { Day } from '../days.ts';
import { formatDay, formatNumber } from '../format.ts';
import { language, words } from '../settings.tsx';

const HEIGHT = 120;
const WIDTH = 40;
const PARTS = ['bad', 'other', 'good'] as const;

/** Bars of days. The numbers stand in a table below: a picture alone says nothing to a screen reader. */
export function DayChart({ days }: { readonly days: readonly Day[] }) {
  const { overview, values } = words.value;
  const most = Math.max(1, ...days.map(({ good, bad, other }) => good + bad + other));
  const number = (value: number) => formatNumber(value, language.value);
  return (
    <>
      <svg
        class="chart"
        viewBox={`0 0 ${days.length * WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={overview.byDay}
        preserveAspectRatio="none"
      >
        {days.map((day, index) => bars(day, index, HEIGHT / most))}
      </svg>
      <table class="chart-data">
        <thead>
          <tr>
            <th scope="col">{overview.day}</th>
            <th scope="col" class="right">
              <span class="key good" aria-hidden="true" /> {values.COMPLETED}
            </th>
            <th scope="col" class="right">
              <span class="key other" aria-hidden="true" /> {values.IN_PROGRESS}
            </th>
            <th scope="col" class="right">
              <span class="key bad" aria-hidden="true" /> {values.FAILED}
            </th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, good, bad, other }) => (
            <tr key={day}>
              <th scope="row">{formatDay(day, language.value)}</th>
              <td class="right">{number(good)}</td>
              <td class="right">{number(other)}</td>
              <td class="right">{number(bad)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The bar of a day: its parts stand on each other. */
function bars(day: Day, index: number, scale: number) {
  let top = HEIGHT;
  return PARTS.map((part) => {
    const height = day[part] * scale;
    top -= height;
    return <rect key={part} class={part} x={index * WIDTH + 4} y={top} width={WIDTH - 8} height={height} />;
  });
}
