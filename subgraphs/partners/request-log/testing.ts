import type { Reveals } from './reveals.ts';

/** For tests without the console. */
export const NO_REVEALS: Reveals = { reveal: (_context, _subjectId, value) => value };
