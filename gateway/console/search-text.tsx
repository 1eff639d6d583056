import { signal } from '@preact/signals';

/**
 * What somebody searches. It may be a phone number, an email or a link that lets its holder act, so it stands neither in the
 * address nor in the history: a reload forgets it.
 */
export const searchText = signal('');
