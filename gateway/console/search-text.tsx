import { signal } from '@preact/signals';

/**
 * The text of the search. It may be a phone number, an email or a link that lets its holder act, so it is kept out of
 * the address and the history. A reload clears it.
 */
export const searchText = signal('');
