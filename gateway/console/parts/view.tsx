import { useState } from 'preact/hooks';
import { isPreset, LONGEST_VIEW, PRESETS, type Preset } from '../filters.ts';
import { words } from '../settings.tsx';
import type { ListAddress } from './list-frame.tsx';
import { Copy } from './values.tsx';

/** Spans of time up to now, as links. */
export function Presets({ address: { values, hrefWith } }: { readonly address: ListAddress }) {
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

/** Gives the filters a name, which becomes a part of the address. Nothing is stored: an address can be kept and sent. */
export function View({ address: { values, view, hrefWith, apply } }: { readonly address: ListAddress }) {
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
