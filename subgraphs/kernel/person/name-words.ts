/** Most words of the names of one person that are compared; people have up to ten or so. */
const MOST_WORDS = 16;
/** White space, hyphens and dashes. */
const SEPARATORS = /[\s\p{Pd}]+/u;
/** Marks such as accents, other punctuation such as apostrophes, and invisible characters such as joiners. */
const IGNORED = /[\p{M}\p{P}\p{Cf}]/gu;

/**
 * The words of names in the form in which they are compared: in NFKD without marks, in lower case, split at white space and
 * hyphens. `María-José O’Neil` has `maria`, `jose` and `oneil`. Each word once, at most 16 of them.
 */
export function nameWords(names: readonly string[]): string[] {
  const words = names.flatMap((name) => name.normalize('NFKD').split(SEPARATORS).map(fold));
  return [...new Set(words)].filter((word) => word !== '').slice(0, MOST_WORDS);
}

/** By way of capitals, as some letters have no capital of their own: `ß` is `ss`. */
function fold(word: string): string {
  return word.replaceAll(IGNORED, '').toUpperCase().toLowerCase();
}
