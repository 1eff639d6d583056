import type { Reveals } from './reveals.ts';

/** For tests without the console. */
export const NO_REVEALS: Reveals = { note: () => undefined };
