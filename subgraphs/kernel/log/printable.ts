/**
 * Control characters, lone surrogates, line and paragraph separators, and what turns the direction of text: a terminal acts
 * on these, or shows a line that is not there.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/**
 * A value as one line for a terminal: each unprintable character as JSON escapes it, such as `\u001b`. Values may be of
 * partners, providers and receivers.
 */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, escapeCharacter);
}

/** Lines for a terminal: as {@link printable}, but line feeds stay. JSON stays the same JSON. */
export function printableLines(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) =>
    character === '\n' ? character : escapeCharacter(character),
  );
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
