/**
 * Calls `work` with each value, at most `most` at once. Results are in the order of the values.
 * @throws the first error of `work`; of the values that had not begun, some are still worked on
 */
export async function mapAtOnce<Value, Result>(
  most: number,
  values: readonly Value[],
  work: (value: Value) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const entries = values.entries();
  const workThrough = async () => {
    // They share one iterator: each takes the next value.
    for (const [index, value] of entries) {
      results[index] = await work(value);
    }
  };
  await Promise.all(Array.from({ length: most }, workThrough));
  return results;
}
