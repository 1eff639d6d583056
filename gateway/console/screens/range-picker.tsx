import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addressOf } from '../filters.ts';
import { fromInputTime, toInputTime } from '../format.ts';
import { type ChartRange, RANGE_NAMES } from '../range.ts';
import { words, zone } from '../settings.tsx';
import { SUBJECTS, type Subject } from './figure-context.ts';
import { PATHS } from './paths.ts';

interface RangePickerProps {
  readonly range: ChartRange;
  readonly subject: Subject;
}

/** Links that change the range and the records of the overview. They are part of the address. */
export function RangePicker({ range, subject }: RangePickerProps) {
  const { charts, nav } = words.value;
  const { name, from, to } = range;
  const span = name === 'custom' ? { from, to } : { range: name };
  const names = { OPERATION: nav.operations, REQUEST_MONEY: nav.moneyRequests };
  return (
    <nav class="ranges" aria-label={charts.range}>
      {SUBJECTS.map((one) => (
        <Choice
          key={one}
          label={names[one]}
          href={addressOf(PATHS.overview, { ...span, of: one })}
          isChosen={one === subject}
        />
      ))}
      {RANGE_NAMES.map((one) => (
        <Choice
          key={one}
          label={charts.ranges[one]}
          href={addressOf(PATHS.overview, { range: one, of: subject })}
          isChosen={one === name}
        />
      ))}
      <CustomRange key={`${from} ${to}`} range={range} subject={subject} />
    </nav>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly href: string;
  readonly isChosen: boolean;
}

function Choice({ label, href, isChosen }: ChoiceProps) {
  return (
    <a href={href} aria-current={isChosen ? 'true' : undefined}>
      {label}
    </a>
  );
}

function CustomRange({ range, subject }: RangePickerProps) {
  const { charts, common } = words.value;
  const { route } = useLocation();
  const [from, setFrom] = useState(toInputTime(range.from, zone.value));
  const [to, setTo] = useState(toInputTime(range.to, zone.value));
  const isCustom = range.name === 'custom';
  const chosen = { from: fromInputTime(from, zone.value), to: fromInputTime(to, zone.value) };
  return (
    <details>
      <summary aria-current={isCustom ? 'true' : undefined}>{charts.custom}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen.from !== undefined && chosen.to !== undefined) {
            route(addressOf(PATHS.overview, { from: chosen.from, to: chosen.to, of: subject }));
          }
        }}
      >
        <TimeInput id="range-from" label={common.from} value={from} set={setFrom} />
        <TimeInput id="range-to" label={common.to} value={to} set={setTo} />
        <button type="submit">{common.apply}</button>
      </form>
    </details>
  );
}

interface TimeInputProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
}

function TimeInput({ id, label, value, set }: TimeInputProps) {
  return (
    <p>
      <label for={id}>
        {label}
        {zone.value === 'utc' && ' (UTC)'}
      </label>
      <input
        id={id}
        type="datetime-local"
        step={3_600}
        required
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </p>
  );
}
