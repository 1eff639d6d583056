import { hasTooManyLevels } from '../levels.ts';
import { IS_SCALAR, idOf } from './leaf-values.ts';
import { bytesOfKey, countScalar, type Meter } from './meter.ts';
import { fail, type ProjectionForm } from './projection-form.ts';
import type { DataObject } from './state.ts';
import { wireValue } from './wire-value.ts';

// A literal or assigned `__proto__` would set the prototype.
const PROTOTYPE = '__proto__';

function emitProperty(key: string, value: string): string {
  const text = JSON.stringify(key);
  return `${key === PROTOTYPE ? `[${text}]` : text}: ${value}`;
}

function emitAssignment(key: string, value: string): string {
  const text = JSON.stringify(key);
  return key === PROTOTYPE
    ? `Object.defineProperty(r, ${text}, { value: ${value}, enumerable: true, configurable: true, writable: true });`
    : `r[${text}] = ${value};`;
}

/** Makes objects. It leaves lists for which the meter has no room in the meter's `unfilled`. */
export const OBJECT_FORM: ProjectionForm<DataObject, Meter> = {
  helpers: {
    count: countScalar,
    wire: (value: unknown) => (hasTooManyLevels(value) ? fail() : wireValue(value)),
    id: idOf,
  },
  nothing: 'null',
  typename: (name) => JSON.stringify(name),
  enumValue: (names) => `(${names}.has(v) ? count(v, m) : fail())`,
  scalar(kind) {
    if (kind === 'custom') {
      return "count(typeof v === 'object' ? wire(v) : v, m)";
    }
    return kind === 'ID' ? 'count(id(v) ?? fail(), m)' : `count(${IS_SCALAR[kind]} ? v : fail(), m)`;
  },
  unchecked: (access) => `count(${access} ?? null, m)`,
  list: (name, item) => `function ${name}(a, c, m) {
  if (!Array.isArray(a)) fail();
  const r = new Array(a.length);
  m.bytes += a.length + 1;
  ${name}_fill(a, r, 0, c, m);
  return r;
}
function ${name}_fill(a, r, i, c, m) {
  const n = a.length;
  let v;
  for (; i < n; i++) {
    if (m.bytes > m.pauseAt) {
      m.unfilled.push({ fill: ${name}_fill, source: a, target: r, index: i });
      return;
    }
    r[i] = ${item};
  }
}`,
  object: (name, fields) => {
    const first = fields.findIndex(({ inclusion }) => inclusion !== null);
    const literal = first < 0 ? fields : fields.slice(0, first);
    const later = first < 0 ? [] : fields.slice(first);
    const bytes = literal.reduce((sum, { key }) => sum + bytesOfKey(key), 1);
    const assignments = later.map(
      ({ key, value, inclusion }) =>
        `${inclusion === null ? '' : `if (${inclusion}) `}${emitAssignment(key, value)}`,
    );
    return `function ${name}(s, c, m) {
  if (typeof s !== 'object' || Array.isArray(s)) fail();
  m.bytes += ${bytes};
  let v;
  const r = { ${literal.map(({ key, value }) => emitProperty(key, value)).join(', ')} };
  ${assignments.join('\n  ')}
  return r;
}`;
  },
};
