import { fail, type ProjectionForm } from './projection-form.ts';

/** Counts the characters of lists, so that a long text is given up early. */
export interface TextMeter {
  length: number;
}

/** Thrown for an answer with lists of more characters than this: it is made in slices. */
export const TOO_LONG = Symbol('too long');
const MOST_CHARACTERS = 64 * 1024;

/** JSON escapes these: quotes, backslashes, control characters, and surrogates that stand alone. */
const ESCAPED = /["\\\p{Cc}\ud800-\udfff]/u;

/** The text of a scalar as `JSON.stringify` has it. Fails for what JSON cannot express. */
function scalarText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`;
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      return JSON.stringify(value) ?? fail();
  }
}

function setLength(meter: TextMeter, length: number): void {
  if (length > MOST_CHARACTERS) {
    throw TOO_LONG;
  }
  meter.length = length;
}

/** A piece of text as a JavaScript expression. */
const literal = (text: string) => JSON.stringify(text);
const keyText = (key: string) => `${JSON.stringify(key)}:`;

/** Makes the JSON of an answer, without the objects that `JSON.stringify` would read. */
export const TEXT_FORM: ProjectionForm<string, TextMeter> = {
  helpers: { text: scalarText, setLength },
  nothing: "'null'",
  typename: (name) => literal(JSON.stringify(name)),
  enumValue: (names) => `(${names}.get(v) ?? fail())`,
  // A value with `toJSON` is written as that says, as `wireValue` would have it.
  scalar: () => 'text(v)',
  unchecked: (access) => `text(${access} ?? null)`,
  list: (name, item) => `function ${name}(a, c, m) {
  if (!Array.isArray(a)) fail();
  const n = a.length, before = m.length;
  let v, r = '[';
  for (let i = 0; i < n; i++) {
    const item = ${item};
    r += i === 0 ? item : ',' + item;
    setLength(m, before + r.length);
  }
  return r + ']';
}`,
  object: (name, fields) => {
    const isFixed = fields.every(({ inclusion }) => inclusion === null);
    const start = `function ${name}(s, c, m) {
  if (typeof s !== 'object') fail();
  let v;`;
    if (isFixed) {
      const parts = fields.map(
        ({ key, value }, index) => `${literal(`${index === 0 ? '' : ','}${keyText(key)}`)} + ${value}`,
      );
      return `${start}
  return ${["'{'", ...parts, "'}'"].join(' + ')};
}`;
    }
    const additions = fields.map(
      ({ key, value, inclusion }) =>
        `${inclusion === null ? '' : `if (${inclusion}) `}r += ${literal(`,${keyText(key)}`)} + ${value};`,
    );
    return `${start}
  let r = '';
  ${additions.join('\n  ')}
  return '{' + r.slice(1) + '}';
}`;
  },
};
