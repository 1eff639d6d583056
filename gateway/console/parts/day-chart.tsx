import { type Day, type DayPart, partOf } from '../days.ts';
import { OperationStatus } from '../documents/types.ts';
import { addressOf } from '../filters.ts';
import { formatDay, formatNumber } from '../format.ts';
import { PATHS } from '../screens/paths.ts';
import { language, words } from '../settings.tsx';

const PARTS = ['good', 'other', 'bad'] as const;

/** Days with their numbers, and a bar that repeats the numbers visually. */
export function DayChart({ days }: { readonly days: readonly Day[] }) {
  const { overview, values } = words.value;
  const most = Math.max(1, ...days.map(({ good, bad, other }) => good + bad + other));
  const names = { good: values.COMPLETED, other: values.IN_PROGRESS, bad: values.FAILED };
  return (
    <table class="days">
      <thead>
        <tr>
          <th scope="col">{overview.day}</th>
          <td class="bar" />
          {PARTS.map((part) => (
            <th key={part} scope="col" class="right">
              <span class={`key ${part}`} aria-hidden="true" /> {names[part]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.day}>
            <th scope="row">{formatDay(day.day, language.value)}</th>
            <td class="bar">
              <Bar day={day} most={most} />
            </td>
            {PARTS.map((part) => (
              <td key={part} class={`right ${day[part] === 0 ? 'none' : ''}`}>
                <Count day={day} part={part} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A number that links to the records that it counts. */
function Count({ day, part }: { readonly day: Day; readonly part: DayPart }) {
  const text = formatNumber(day[part], language.value);
  const status = Object.values(OperationStatus).filter((one) => partOf(one) === part);
  const filters = { status: status.join(), from: day.from, to: day.to };
  return day[part] === 0 ? <span>{text}</span> : <a href={addressOf(PATHS.operations, filters)}>{text}</a>;
}

/** The parts of a day after each other. @param most of the day that fills the whole width */
function Bar({ day, most }: { readonly day: Day; readonly most: number }) {
  const starts = { good: 0, other: day.good, bad: day.good + day.other };
  return (
    <svg viewBox={`0 0 ${most} 1`} preserveAspectRatio="none" aria-hidden="true">
      {PARTS.filter((part) => day[part] > 0).map((part) => (
        <rect key={part} class={part} x={starts[part]} width={day[part]} height={1} />
      ))}
    </svg>
  );
}
