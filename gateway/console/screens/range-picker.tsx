import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addressOf } from '../filters.ts';
import { TimeInput } from '../parts/time-input.tsx';
import { Bad } from '../parts/values.tsx';
import { type ChartRange, RANGE_NAMES, type RangeProblem, readRange } from '../range.ts';
import { isSandbox } from '../session.tsx';
import { words, zone } from '../settings.tsx';
import { SUBJECTS, type Subject } from './figure-context.ts';
import { PATHS } from './paths.ts';

interface RangePickerProps {
  /** As the address has it. */
  readonly range: Pick<ChartRange, 'name' | 'from' | 'to'>;
  /** Why the range is not possible; undefined if it is. */
  readonly problem?: RangeProblem | undefined;
  readonly subject: Subject;
}

/** Links that change the range and the records of the overview. They are part of the address. */
export function RangePicker({ range, subject, problem }: RangePickerProps) {
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
      {/* The times of the others move on with each hour, also while somebody fills in the form. */}
      <CustomRange key={Object.values(span).join(' ')} range={range} subject={subject} problem={problem} />
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

function CustomRange({ range, subject, problem: given }: RangePickerProps) {
  const { charts, common, notices } = words.value;
  const { route } = useLocation();
  const [from, setFrom] = useState(range.from);
  const [to, setTo] = useState(range.to);
  const [problem, setProblem] = useState(given);
  const isCustom = range.name === 'custom';
  const apply = () => {
    const chosen = readRange({ from, to }, new Date(), zone.value, isSandbox());
    if (typeof chosen === 'string') {
      setProblem(chosen);
    } else {
      setProblem(undefined);
      route(addressOf(PATHS.overview, { from, to, of: subject }));
    }
  };
  return (
    <details open={given !== undefined}>
      <summary aria-current={isCustom ? 'true' : undefined}>{charts.custom}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <TimeInput id="range-from" label={common.from} value={from} set={setFrom} />
        <TimeInput id="range-to" label={common.to} value={to} set={setTo} />
        <button type="submit">{common.apply}</button>
        {problem && (
          <p role="alert">
            <Bad>{notices.range[problem]}</Bad>
          </p>
        )}
      </form>
    </details>
  );
}
