import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { words } from '../settings.tsx';
import { neighbourOf, SHORTCUTS, shortcutOf } from '../shortcuts.ts';
import { Dialog } from './dialog.tsx';

/**
 * Whether keys have effects. People who speak to their computer turn them off (WCAG 2.1.4). It lasts as long as the page: the
 * browser stores only language, zone and colours.
 */
const areOn = signal(true);

/** Fields, and choices, where a letter selects. */
const FIELDS = 'input, textarea, select, [contenteditable]';

/** The button and key that show the help, and the effects of all keys. */
export function Keyboard() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    addEventListener('keydown', (event) => act(event, () => setOpen(true)), { signal: leaving.signal });
    return () => leaving.abort();
  }, []);
  const { keyboard } = words.value;
  return (
    <>
      <button
        type="button"
        class="keyboard"
        aria-label={keyboard.open}
        title={keyboard.open}
        onClick={() => setOpen(true)}
      >
        ?
      </button>
      {isOpen && <Help onClose={() => setOpen(false)} />}
    </>
  );
}

function act(event: KeyboardEvent, showHelp: () => void): void {
  const isTyping = document.activeElement?.matches(FIELDS) ?? false;
  const hasDialog = document.querySelector('dialog[open]') !== null;
  const shortcut = areOn.value ? shortcutOf(event, { isTyping, hasDialog }) : undefined;
  if (shortcut === undefined) {
    return;
  }
  event.preventDefault();
  if (shortcut === 'help') {
    showHelp();
  } else if (shortcut === 'search') {
    searchField()?.focus();
  } else {
    moveTo(shortcut);
  }
}

/** Screens of the platform's operators have none. */
function searchField(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('input[type=search]');
}

/** Focuses the link of the next or previous row; Enter then opens it. */
function moveTo(direction: 'next' | 'previous'): void {
  const rows = [...document.querySelectorAll('main tr.leads')];
  const index = rows.findIndex((row) => row.contains(document.activeElement));
  const link = rows[neighbourOf(index, rows.length, direction)]?.querySelector<HTMLAnchorElement>('td a');
  link?.focus();
  link?.scrollIntoView({ block: 'nearest' });
}

function Help({ onClose }: { readonly onClose: () => void }) {
  const { keyboard, common } = words.value;
  const shortcuts = SHORTCUTS.filter(([, name]) => name !== 'search' || searchField() !== null);
  const lines = [...shortcuts, ['Enter', 'enter'] as const];
  return (
    <Dialog title={keyboard.title} onClose={onClose}>
      <dl class="keys">
        {lines.map(([key, name]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{keyboard[name]}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={areOn.value}
          onChange={({ currentTarget }) => {
            areOn.value = currentTarget.checked;
          }}
        />
        {keyboard.isOn}
      </label>
      <p class="actions">
        <button type="button" class="primary" onClick={onClose}>
          {common.close}
        </button>
      </p>
    </Dialog>
  );
}
