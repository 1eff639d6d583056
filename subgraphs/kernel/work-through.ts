/**
 * Does work for each value, one after the other, whatever fails.
 * @throws the first error, after the other values had their turn
 */
export async function workThrough<Value>(
  values: Iterable<Value> | AsyncIterable<Value>,
  work: (value: Value) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  for await (const value of values) {
    await work(value).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) {
    throw errors[0];
  }
}
