import { signal } from '@preact/signals';

/**
 * The text of the search. It may be a phone number, an email or a link that lets its holder act, so it is kept out of
 * the address and the history. A reload clears it. Each search has another number, so that the same text is read again.
 */
export const searched = signal({ text: '', number: 0 });

/** Begins a search. */
export function searchFor(text: string): void {
  searched.value = { text, number: searched.value.number + 1 };
}
