/**
 * Exact bytes with places for generated values. A template is compared from the first character to the last; besides
 * literal text it may have
 *
 * - `"..."`: any JSON string that is not empty, as the documents print it for messages
 * - `<22 characters>`: so many of a token or a secret
 * - `<time>`: ISO 8601 UTC with milliseconds
 * - `<id req_>`: an id with this prefix
 * - `<uuid>`
 * - `<code>`: the short code of an operation
 * - `<ms>`: milliseconds since the epoch
 * - `<16 hex>`: the digits of a card's token
 * - `<whole>`: a whole number; `<seconds>`: one of 1 to 60
 * - `<origin>`: scheme and host of a URL
 * - `<time as made>`: any of these, remembered under a name; `<made>` is then that same text
 */
const KINDS: Readonly<Record<string, string>> = {
  time: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z',
  uuid: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  code: '[2-9A-HJKMNP-Z]{8}',
  ms: '\\d{13}',
  '16 hex': '[0-9a-f]{16}',
  whole: '(?:0|[1-9]\\d*)',
  seconds: '(?:[1-9]|[1-5]\\d|60)',
  origin: 'https?://[^/"]+',
  text: '(?:[^"\\\\]|\\\\.)+',
};

/** The values that the templates of one case have remembered, by name. */
export type Remembered = Map<string, string>;

type Part = { readonly pattern: string; readonly literal: boolean; readonly remember?: string };

/**
 * Compares a text with a template and remembers the texts that the template names.
 * @returns undefined when they match, else what differs and where; nothing is remembered then
 * @throws when the template has a place of no known kind
 */
export function compare(template: string, actual: string, remembered: Remembered): string | undefined {
  const parts = readParts(template, remembered);
  const match = new RegExp(`^${parts.map(toGroup).join('')}$`).exec(actual);
  if (!match) {
    return describeDifference(parts, template, actual);
  }
  for (const part of parts) {
    if (part.remember !== undefined) {
      remembered.set(part.remember, String(match.groups?.[part.remember]));
    }
  }
  return undefined;
}

const PLACE = /"\.\.\."|<([^<>]+)>/g;

function readParts(template: string, remembered: Remembered): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const match of template.matchAll(PLACE)) {
    const [whole, place] = match;
    const before = parts.find(({ remember }) => remember !== undefined && remember === place);
    parts.push(literal(template.slice(from, match.index)));
    if (whole === '"..."') {
      parts.push(...ANY_STRING);
    } else {
      parts.push(
        before ? { pattern: `\\k<${place}>`, literal: false } : readPlace(String(place), remembered),
      );
    }
    from = match.index + whole.length;
  }
  parts.push(literal(template.slice(from)));
  return parts;
}

const ANY_STRING: readonly Part[] = [
  { pattern: '"', literal: true },
  { pattern: String(KINDS.text), literal: false },
  { pattern: '"', literal: true },
];

function readPlace(place: string, remembered: Remembered): Part {
  const known = remembered.get(place);
  if (known !== undefined) {
    return literal(known);
  }
  const [kind = '', remember] = place.split(' as ');
  const pattern = KINDS[kind] ?? tokenPattern(kind);
  if (pattern === undefined) {
    throw new TypeError(`A template has no place <${place}>`);
  }
  return { pattern, literal: false, ...(remember === undefined ? {} : { remember }) };
}

/** Of an id, which has 20 characters behind its prefix, or of so many characters. */
function tokenPattern(kind: string): string | undefined {
  const [match, prefix = '', count = '20'] = /^(?:id (\w+)|(\d+) characters)$/.exec(kind) ?? [];
  return match === undefined ? undefined : `${prefix}[A-Za-z0-9_-]{${count}}`;
}

function literal(text: string): Part {
  return { pattern: text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), literal: true };
}

function toGroup({ pattern, remember }: Part): string {
  return remember === undefined ? `(?:${pattern})` : `(?<${remember}>${pattern})`;
}

/** Finds the longest beginning that still matches: behind it is the difference. */
function describeDifference(parts: readonly Part[], template: string, actual: string): string {
  let matched = '';
  let source = '^';
  for (const part of parts) {
    const pieces = part.literal ? (part.pattern.match(/\\.|[\s\S]/g) ?? []) : [toGroup(part)];
    for (const piece of pieces) {
      const longer = new RegExp(source + piece).exec(actual);
      if (!longer) {
        return mismatch(matched.length, template, actual);
      }
      source += piece;
      matched = longer[0];
    }
  }
  return mismatch(matched.length, template, actual);
}

function mismatch(at: number, template: string, actual: string): string {
  return [
    `The text differs from character ${at} on: …${actual.slice(at, at + 60)}`,
    `expected ${template}`,
    `received ${actual}`,
  ].join('\n');
}
