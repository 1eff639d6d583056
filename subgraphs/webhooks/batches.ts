/** Turns single calls into batches. */
type Batched<Item, Result> = (item: Item) => Promise<Result>;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: the first item runs at once; items that arrive while a batch runs form the next batch. No item waits for
 * others to arrive. When a batch of several items fails, its items run one by one, so that one of them cannot fail the
 * others: `run` must leave nothing behind when it throws.
 * @param run gives one result for each item, in order
 * @param largest most items in a batch
 * @param isCommon whether an error has nothing to do with the items: then all of them get it, and they do not run one by one
 */
export function createBatches<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  largest: number,
  isCommon: (error: unknown) => boolean = () => false,
): Batched<Item, Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let busy = false;

  const drain = async () => {
    busy = true;
    while (waiting.length > 0) {
      await runBatch(run, waiting.splice(0, largest), isCommon);
    }
    busy = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!busy) {
        void drain();
      }
    });
}

/** Never throws: errors go to those who wait. */
async function runBatch<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  batch: readonly Waiting<Item, Result>[],
  isCommon: (error: unknown) => boolean,
): Promise<void> {
  try {
    const results = await run(batch.map(({ item }) => item));
    for (const [index, { resolve }] of batch.entries()) {
      // The cast: `run` returns a result for each item.
      resolve(results[index] as Result);
    }
  } catch (error) {
    const isFinal = batch.length === 1 || isCommon(error);
    for (const one of batch) {
      if (isFinal) {
        one.reject(error);
      } else {
        await runBatch(run, [one], isCommon);
      }
    }
  }
}
