/** An object of a JSON document. */
export type JsonNode = Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is JsonNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one for anything else. */
export function recordOf(value: unknown): JsonNode {
  return isNode(value) ? value : {};
}

export function entriesOf(value: unknown): [string, unknown][] {
  return Object.entries(recordOf(value));
}

/** The texts among values, or in a list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** The node that a local reference leads to, such as `#/components/schemas/User`. @throws TypeError where there is none */
export function resolve(document: JsonNode, value: unknown): JsonNode {
  const node = recordOf(value);
  if (typeof node.$ref !== 'string') {
    return node;
  }
  const found = node.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((one, name) => recordOf(one)[name], document);
  if (!isNode(found)) {
    throw new TypeError(`There is no ${node.$ref}`);
  }
  return resolve(document, found);
}
