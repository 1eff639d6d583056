import { hasTooManyLevels } from '../levels.ts';
import { IS_SCALAR, idOf } from './leaf-values.ts';
import { type CompiledField, fail, type ProjectionForm } from './projection-form.ts';

/** An answer with lists of more characters than this is not written at once, but made in slices. */
export const TOO_LONG = Symbol('too long');
const MOST_CHARACTERS = 64 * 1024;

/** JSON escapes these: quotes, backslashes, control characters, and surrogates that stand alone. */
const ESCAPED = /["\\\p{Cc}\ud800-\udfff]/u;

/** The text of a custom scalar, as `JSON.stringify` writes it. Fails for a value that JSON cannot express. */
function jsonText(value: unknown): string {
  if (typeof value === 'string') {
    return stringText(value);
  }
  return (hasTooManyLevels(value) ? undefined : JSON.stringify(value)) ?? fail();
}

/** The text of a string. Fails for anything else. */
function stringText(value: unknown): string {
  return `"${innerText(value)}"`;
}

/** The text between the quotes of a required string. Fails for any other value. */
function innerText(value: unknown): string {
  if (typeof value !== 'string') {
    fail();
  }
  return ESCAPED.test(value) ? JSON.stringify(value).slice(1, -1) : value;
}

/** A list's text as it grows. */
function bounded(text: string): string {
  if (text.length > MOST_CHARACTERS) {
    throw TOO_LONG;
  }
  return text;
}

/** A piece of text as a JavaScript expression. */
const literal = (text: string) => JSON.stringify(text);

/** Text that is added at the end, after the comma or the brace that separates a field from the one before. */
function additionOf({ key, value, string }: CompiledField, separator: string): string {
  const start = `${separator}${JSON.stringify(key)}:`;
  return string === null
    ? `m += ${literal(start)}; m = ${value};`
    : `m += ${literal(`${start}"`)}; m += inner(${string}); m += '"';`;
}

/** As above, for a field that an answer may lack: `e` is what separates the next one. */
function conditionalAddition(field: CompiledField): string {
  const addition = `m += e; e = ','; ${additionOf(field, '')}`;
  return field.inclusion === null ? addition : `if (${field.inclusion}) { ${addition} }`;
}

/**
 * Makes the JSON of an answer, without the objects that `JSON.stringify` would read. The functions get the text so far and
 * return it with their part: adding short pieces to one text is faster than joining texts of parts.
 */
export const TEXT_FORM: ProjectionForm<string, string> = {
  helpers: { json: jsonText, string: stringText, inner: innerText, id: idOf, bounded },
  nothing: "m + 'null'",
  typename: (name) => `m + ${literal(JSON.stringify(name))}`,
  enumValue: (names) => `m + (${names}.get(v) ?? fail())`,
  scalar(kind) {
    switch (kind) {
      case 'custom':
        // A value with `toJSON` is written as `toJSON` returns it, like `wireValue` does.
        return 'm + json(v)';
      case 'String':
        return 'm + string(v)';
      case 'ID':
        return 'm + string(id(v))';
      case 'Int':
      case 'Float':
      case 'Boolean':
        return `m + (${IS_SCALAR[kind]} ? v : fail())`;
    }
  },
  // Introspection is large, and may be written many times over: the projector measures it.
  unchecked: () => 'fail()',
  list: (name, item) => `function ${name}(a, c, m) {
  if (!Array.isArray(a)) fail();
  const n = a.length;
  let v;
  m += '[';
  for (let i = 0; i < n; i++) {
    if (i > 0) m += ',';
    m = bounded(${item});
  }
  return m + ']';
}`,
  object: (name, fields) => {
    const isFixed = fields.every(({ inclusion }) => inclusion === null);
    const additions = isFixed
      ? fields.map((field, index) => additionOf(field, index === 0 ? '{' : ','))
      : fields.map(conditionalAddition);
    const isEmpty = fields.length === 0;
    return `function ${name}(s, c, m) {
  if (typeof s !== 'object' || Array.isArray(s)) fail();
  let v${isFixed ? '' : ", e = '{'"};
  ${additions.join('\n  ')}
  return m + ${isFixed ? literal(isEmpty ? '{}' : '}') : "(e === '{' ? '{}' : '}')"};
}`;
  },
};
