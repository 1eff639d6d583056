/**
 * A string that two JSON values share exactly when they are equal, keys in the same order. Cheaper than
 * `JSON.stringify`: text is not escaped, its length says where it ends.
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
