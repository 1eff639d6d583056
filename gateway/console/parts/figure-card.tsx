import { formatShare } from '../format.ts';
import type { Change } from '../range.ts';
import { language, words } from '../settings.tsx';
import { Icon } from './icon.tsx';

interface FigureCardProps {
  readonly label: string;
  readonly value: string;
  /** The list of the records that it is about; absent where no list selects them. */
  readonly href?: string | undefined;
  /** How it has changed since the period before; undefined where there is nothing to compare with. */
  readonly change: Change | undefined;
  /** Whether more is better; undefined if it is neither. */
  readonly isUpGood?: boolean;
  /** The figure it is compared with, in words; by default the period before. */
  readonly comparison?: string;
  /** Its values over time. */
  readonly values?: readonly (number | null)[];
  readonly isBad?: boolean;
}

/** A figure that links to its records where a list has them, with its change and its course. */
export function FigureCard({ label, value, href, values, isBad, ...change }: FigureCardProps) {
  const name = `card figure ${isBad ? 'bad' : ''}`;
  const content = (
    <>
      <span class="label">{label}</span>
      <strong>{value}</strong>
      <Delta {...change} />
      {values && <Sparkline values={values} />}
    </>
  );
  return href === undefined ? (
    <div class={name}>{content}</div>
  ) : (
    <a class={name} href={href}>
      {content}
    </a>
  );
}

function Delta({
  change,
  isUpGood,
  comparison,
}: Pick<FigureCardProps, 'change' | 'isUpGood' | 'comparison'>) {
  const { charts } = words.value;
  if (!change) {
    return comparison === undefined ? null : <span class="none">{comparison}</span>;
  }
  const { direction, share } = change;
  const isGood = isUpGood === undefined ? undefined : (direction === 'up') === isUpGood;
  const tone = direction === 'same' || isGood === undefined ? 'idle' : isGood ? 'good' : 'bad';
  return (
    <span class={`status ${tone}`}>
      <Icon name={direction} /> {charts[direction](formatShare(share, language.value))}
      {comparison !== undefined && ` · ${comparison}`}
    </span>
  );
}

/** The course of a figure as a small line. The chart of the figure has its values. */
function Sparkline({ values }: { readonly values: readonly (number | null)[] }) {
  const most = Math.max(...values.map((value) => value ?? 0)) || 1;
  const points = values.flatMap((value, index) => (value === null ? [] : `${index},${1 - value / most}`));
  return (
    <svg
      class="spark"
      viewBox={`0 -0.05 ${Math.max(1, values.length - 1)} 1.1`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.join(' ')} />
    </svg>
  );
}
