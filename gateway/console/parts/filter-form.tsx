import { useState } from 'preact/hooks';
import { type FilterValues, namesOf } from '../filters.ts';
import type { Filter } from '../list-source.ts';
import { words } from '../settings.tsx';
import { TimeInput } from './time-input.tsx';
import type { NamedValue } from './values.tsx';

interface FilterFormProps {
  readonly fields: readonly Filter[];
  readonly values: FilterValues;
  /** Whether tabs above show a filter: it does not open the form. */
  readonly isInTabs: (name: string) => boolean;
  readonly onApply: (values: FilterValues) => void;
}

/** The filters of a list. They take effect when they are applied, because a half-typed id would find nothing. */
export function FilterForm({ fields, values, isInTabs, onApply }: FilterFormProps) {
  const [draft, setDraft] = useState<FilterValues>(values);
  const set = (name: string, value: string) => {
    const { [name]: _, last, ...others } = draft;
    // A span up to now would win over given times.
    const kept = last === undefined || name === 'from' || name === 'to' ? others : { ...others, last };
    setDraft(value === '' ? kept : { ...kept, [name]: value });
  };
  const given = fields.flatMap(namesOf).filter((name) => values[name] !== undefined);
  const isOpen = given.some((name) => name !== 'last' && !isInTabs(name));
  const { common } = words.value;
  return (
    <details class="filters" open={isOpen}>
      <summary>
        {common.filters}
        {given.length > 0 && ` (${given.length})`}
      </summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onApply(draft);
        }}
      >
        {fields.map((field) => (
          <FilterInput key={namesOf(field)[0]} field={field} draft={draft} set={set} />
        ))}
        <p class="actions">
          <button type="submit" class="primary">
            {common.apply}
          </button>
          <button
            type="button"
            onClick={() => {
              setDraft({});
              onApply({});
            }}
          >
            {common.clear}
          </button>
        </p>
      </form>
    </details>
  );
}

interface InputProps {
  readonly field: Filter;
  readonly draft: FilterValues;
  readonly set: (name: string, value: string) => void;
}

function FilterInput({ field, draft, set }: InputProps) {
  const { fields, common } = words.value;
  if (field.kind === 'span') {
    return (
      <>
        {(['from', 'to'] as const).map((name) => (
          <TimeInput
            key={name}
            id={`filter-${name}`}
            label={common[name]}
            value={draft[name]}
            set={(value) => set(name, value)}
          />
        ))}
      </>
    );
  }
  const { name } = field;
  if (field.kind === 'choice') {
    return <Choices field={field} chosen={draft[name]?.split(',') ?? []} set={set} />;
  }
  const id = `filter-${name}`;
  return (
    <p>
      <label for={id}>{fields[name]}</label>
      {field.kind === 'text' || field.kind === 'code' ? (
        <input
          id={id}
          value={draft[name] ?? ''}
          onInput={({ currentTarget }) => set(name, currentTarget.value)}
        />
      ) : (
        <select
          id={id}
          value={draft[name] ?? ''}
          onChange={({ currentTarget }) => set(name, currentTarget.value)}
        >
          <option value="">{common.all}</option>
          {optionsOf(field).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </p>
  );
}

function optionsOf(
  field: Extract<Filter, { kind: 'one' | 'yes-no' }>,
): (readonly [value: string, label: string])[] {
  const { values, common } = words.value;
  return field.kind === 'one'
    ? field.options.map((option) => [option, field.nameOf?.(option) ?? values[option as NamedValue]])
    : [
        ['yes', common.yes],
        ['no', common.no],
      ];
}

interface ChoicesProps extends Pick<InputProps, 'set'> {
  readonly field: Extract<Filter, { kind: 'choice' }>;
  readonly chosen: readonly string[];
}

function Choices({ field: { name, options }, chosen, set }: ChoicesProps) {
  const { fields, values } = words.value;
  const toggle = (option: string, isOn: boolean) =>
    set(name, options.filter((one) => (one === option ? isOn : chosen.includes(one))).join(','));
  return (
    <fieldset>
      <legend>{fields[name]}</legend>
      {options.map((option) => (
        <label key={option} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(option)}
            onChange={({ currentTarget }) => toggle(option, currentTarget.checked)}
          />
          {values[option as NamedValue]}
        </label>
      ))}
    </fieldset>
  );
}
