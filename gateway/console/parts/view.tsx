import { useState } from 'preact/hooks';
import { type FilterValues, isPreset, LONGEST_VIEW, PRESETS, type Preset } from '../filters.ts';
import { words } from '../settings.tsx';
import { Copy } from './values.tsx';

interface PresetsProps {
  readonly values: FilterValues;
  /** The address of the first page with other filters, and the name of these. */
  readonly hrefWith: (values: FilterValues, view?: string) => string;
}

/** Spans of time up to now, as links. */
export function Presets({ values, hrefWith }: PresetsProps) {
  const { lists } = words.value;
  const { last, from, to, ...others } = values;
  const isAny = !isPreset(last) && from === undefined && to === undefined;
  return (
    <nav class="presets" aria-label={lists.times}>
      <a href={hrefWith(others)} aria-current={isAny ? 'page' : undefined}>
        {lists.anyTime}
      </a>
      {PRESET_NAMES.map((name) => (
        <a
          key={name}
          href={hrefWith({ ...others, last: name })}
          aria-current={last === name ? 'page' : undefined}
        >
          {lists.presets[name]}
        </a>
      ))}
    </nav>
  );
}

const PRESET_NAMES = Object.keys(PRESETS).filter((name): name is Preset => isPreset(name));

interface ViewProps extends PresetsProps {
  /** The name of the filters, if the address has one. */
  readonly view: string | undefined;
  readonly apply: (values: FilterValues, view: string) => void;
}

/** Gives the filters a name, which becomes a part of the address. Nothing is stored: an address can be kept and sent. */
export function View({ values, view, hrefWith, apply }: ViewProps) {
  const { lists } = words.value;
  const [name, setName] = useState(view ?? '');
  return (
    <details class="view">
      <summary>{lists.view}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          apply(values, name.trim());
        }}
      >
        <p>{lists.viewHow}</p>
        <p>
          <label for="view-name">{lists.viewName}</label>
          <input
            id="view-name"
            maxLength={LONGEST_VIEW}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </p>
        <p class="actions">
          <button type="submit" class="primary">
            {lists.viewApply}
          </button>
          <Copy text={new URL(hrefWith(values, name.trim()), location.href).href} label={lists.copyLink} />
        </p>
      </form>
    </details>
  );
}
