import { fromInputTime, toInputTime } from '../format.ts';
import { zone } from '../settings.tsx';

interface TimeInputProps {
  readonly id: string;
  readonly label: string;
  /** An instant, RFC 3339: it stays the same when the reader changes the zone. Undefined or empty: none. */
  readonly value: string | undefined;
  /** Gets the instant; empty for none. */
  readonly set: (value: string) => void;
}

/** A field for a time in the zone that the reader chose. */
export function TimeInput({ id, label, value, set }: TimeInputProps) {
  return (
    <p>
      <label for={id}>
        {label}
        {zone.value === 'utc' && ' (UTC)'}
      </label>
      <input
        id={id}
        type="datetime-local"
        value={toInputTime(value, zone.value)}
        onInput={({ currentTarget }) => set(fromInputTime(currentTarget.value, zone.value) ?? '')}
      />
    </p>
  );
}
