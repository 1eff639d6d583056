const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACE = 0x7b;
const OPENING: ReadonlySet<number> = new Set([0x5b, OPENING_BRACE]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Most values and levels that are looked at. */
interface JsonBounds {
  readonly values: number;
  readonly levels: number;
}

const UNBOUNDED: JsonBounds = { values: Number.POSITIVE_INFINITY, levels: Number.POSITIVE_INFINITY };

/** A fault of a text that a JSON parser does not report. */
interface JsonScan {
  readonly isTooComplex: boolean;
  /** The first key that an object has twice, as {@link nameKey} names it; undefined when no object has one. */
  readonly duplicateKey: string | undefined;
}

/**
 * One pass over a text: each comma and each bracket outside of strings brings one value. It ends where the text goes beyond
 * the bounds. The text need not be JSON.
 */
export function scanJson(
  source: string,
  { values: mostValues, levels: mostLevels }: JsonBounds = UNBOUNDED,
): JsonScan {
  const open = new OpenObjects();
  let values = 1;
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(source, at);
      open.takeString(source, at, end);
      at = end;
    } else if (code === COMMA) {
      values += 1;
      open.expectKey(true);
    } else if (code === COLON) {
      open.expectKey(false);
    } else if (OPENING.has(code)) {
      values += 1;
      open.push(code === OPENING_BRACE);
    } else if (CLOSING.has(code)) {
      open.pop();
    }
    if (values > mostValues || open.levels > mostLevels) {
      return { isTooComplex: true, duplicateKey: undefined };
    }
  }
  return { isTooComplex: false, duplicateKey: open.duplicateKey };
}

/** The first key that an object of a JSON text has twice, as {@link nameKey} names it; undefined when none has. */
export function findDuplicateKey(source: string): string | undefined {
  return scanJson(source).duplicateKey;
}

/**
 * The objects and lists that are open at a place of the text, and the keys that each object has so far. It is a class, because V8
 * keeps each object that is written with a getter, and all that its functions refer to, until it collects the whole heap.
 */
class OpenObjects {
  duplicateKey: string | undefined = undefined;
  /** Null for a list; undefined for an object without a key so far. */
  private readonly keys: (Set<string> | null | undefined)[] = [];
  private isKeyNext = false;

  get levels(): number {
    return this.keys.length;
  }

  push(isObject: boolean): void {
    this.keys.push(isObject ? undefined : null);
    this.isKeyNext = isObject;
  }

  pop(): void {
    this.keys.pop();
    this.isKeyNext = false;
  }

  expectKey(isNext: boolean): void {
    this.isKeyNext = isNext && this.keys.at(-1) !== null;
  }

  takeString(source: string, start: number, end: number): void {
    const { keys } = this;
    if (!this.isKeyNext || keys.length === 0 || this.duplicateKey !== undefined) {
      return;
    }
    const key = readKey(source.slice(start + 1, end));
    const others = keys.at(-1) ?? new Set();
    if (others.has(key)) {
      this.duplicateKey = nameKey(key);
    }
    keys[keys.length - 1] = others.add(key);
  }
}

/** A key as it is meant: `"\u0061"` is `a`. */
function readKey(raw: string): string {
  if (!raw.includes('\\')) {
    return raw;
  }
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return raw;
  }
}

/** Keys that a message may repeat: names of fields. Others may be a number of a card, or as long as the body. */
const FIELD_NAME = /^(?!.*\d{3})[A-Za-z_$][\w$.-]{0,63}$/;

function nameKey(key: string): string {
  return FIELD_NAME.test(key) ? `the key "${key}"` : 'a key';
}

/** Where the string that begins at `start` ends; the end of the text when it does not. */
function endOfString(source: string, start: number): number {
  let at = start + 1;
  while (at < source.length && source.charCodeAt(at) !== QUOTE) {
    at += source.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
}
