/** The object with fields that may be undefined made optional: `exactOptionalPropertyTypes` distinguishes the two. */
type WithoutUndefined<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** Leaves out the fields that are undefined. */
export function withoutUndefined<T extends object>(object: T): WithoutUndefined<T> {
  // The cast: `fromEntries` forgets the names of the fields.
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as WithoutUndefined<T>;
}

/** The names of the fields of an object that has no other fields than its type names. */
export function keysOf<T extends object>(object: T): (keyof T & string)[] {
  // The cast: `Object.keys` allows for objects that have more fields than their types.
  return Object.keys(object) as (keyof T & string)[];
}

/** The object without these fields. */
export function omit<T extends object, Key extends keyof T & string>(
  object: T,
  keys: readonly Key[],
): Omit<T, Key> {
  const others = Object.entries(object).filter(([key]) => !isOneOf(keys, key));
  // The cast: `fromEntries` forgets the names of the fields.
  return Object.fromEntries(others) as Omit<T, Key>;
}

/** Makes an object that has these fields. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  read: (key: Key) => Value,
): Record<Key, Value> {
  // The cast: `fromEntries` forgets the names of the fields.
  return Object.fromEntries(keys.map((key) => [key, read(key)])) as Record<Key, Value>;
}

/** Whether a value is an object with fields: no list, and not null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of something that was caught or received; undefined where there is none. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Whether a list of texts contains the text, which then is one of them. */
export function isOneOf<Text extends string>(texts: readonly Text[], text: string): text is Text {
  return texts.some((one) => one === text);
}

/** A list with at least one item. */
type NonEmpty<Item> = readonly [Item, ...Item[]];

/** The result for each item of a list with at least one. */
export function mapNonEmpty<Item, Made>(
  [first, ...others]: NonEmpty<Item>,
  make: (item: Item) => Made,
): [Made, ...Made[]] {
  return [make(first), ...others.map(make)];
}

/** The items by a key, in their order; as `Map.groupBy`, which Node 20 does not have. */
export function groupItems<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [item]);
    } else {
      group.push(item);
    }
  }
  return groups;
}
