/** The value under a key. It is made when it is first asked for. */
export function remember<Key, Value>(
  known: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const found = known.get(key);
  if (found !== undefined) {
    return found;
  }
  const made = make();
  known.set(key, made);
  return made;
}
