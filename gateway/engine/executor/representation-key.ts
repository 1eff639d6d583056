/**
 * Makes the same string for two JSON values exactly when they are equal with keys in the same order. Cheaper than
 * `JSON.stringify`: it does not escape text, but writes the length of each text.
 */
export function valueKey(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `"${value.length}:${value}`;
    case 'number':
    case 'boolean':
    case 'bigint':
      return `${typeof value === 'boolean' ? '?' : '#'}${value};`;
    case 'object':
      return value === null ? '~' : containerKey(value);
    default:
      return '~';
  }
}

function containerKey(value: object): string {
  if (Array.isArray(value)) {
    let key = `[${value.length}:`;
    for (const item of value) {
      key += valueKey(item);
    }
    return key;
  }
  let key = '{';
  for (const [name, item] of Object.entries(value)) {
    key += `${name.length}:${name}${valueKey(item)}`;
  }
  return `${key}}`;
}
