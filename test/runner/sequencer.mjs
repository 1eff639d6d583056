import { statSync } from 'node:fs';
import TestSequencer from '@jest/test-sequencer';

/** The contract first: its files are a few lines each, and run hundreds of cases. */
const CONTRACT = /[\\/]test[\\/]contract[\\/]/;
const RANKS = { full: 1, process: 1, store: 2, unit: 3 };

/**
 * Long files come first, so that no worker has a long file left when the others are done. By a rule, not by
 * how long files took last time: a fresh clone, where nobody knows yet, is not to take longer.
 */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const sizes = new Map(tests.map(({ path }) => [path, statSync(path).size]));
    return [...tests].sort((a, b) => rankOf(a) - rankOf(b) || sizes.get(b.path) - sizes.get(a.path));
  }
}

function rankOf({ path, context }) {
  return CONTRACT.test(path) ? 0 : RANKS[context.config.displayName.name];
}
