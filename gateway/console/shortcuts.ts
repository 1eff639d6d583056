// Keys of the whole console, for people who work in it all day. They never act while somebody types.

/** The effect of a key. */
type Shortcut = 'search' | 'next' | 'previous' | 'help';

/** Each key, in the order of the help. */
export const SHORTCUTS: readonly (readonly [key: string, act: Shortcut])[] = [
  ['/', 'search'],
  ['j', 'next'],
  ['k', 'previous'],
  ['?', 'help'],
];

/** The properties of a pressed key that decide what it does. */
export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** Whether the key is part of a composed character. */
  readonly isComposing: boolean;
  readonly defaultPrevented: boolean;
}

/** Where the key was pressed. */
interface KeyPlace {
  /** Whether the focus is in a field, where a key is text, or in a choice, where it selects. */
  readonly isTyping: boolean;
  readonly hasDialog: boolean;
}

/** The effect of a key; undefined for none. */
export function shortcutOf(pressed: PressedKey, { isTyping, hasDialog }: KeyPlace): Shortcut | undefined {
  const { key, ctrlKey, metaKey, altKey, isComposing, defaultPrevented } = pressed;
  if (isTyping || hasDialog || ctrlKey || metaKey || altKey || isComposing || defaultPrevented) {
    return undefined;
  }
  return SHORTCUTS.find(([one]) => one === key)?.[1];
}

/** The row after or before one; the first or last one without one, and at the ends the row itself. */
export function neighbourOf(index: number, count: number, act: 'next' | 'previous'): number {
  if (index === -1) {
    return act === 'next' ? 0 : count - 1;
  }
  return Math.min(count - 1, Math.max(0, index + (act === 'next' ? 1 : -1)));
}
