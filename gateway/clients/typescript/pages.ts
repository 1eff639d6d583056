/** The answer of a list of the partner API: one page, with the number of all pages. */
export interface Page<Item> {
  readonly data: {
    readonly items: readonly Item[];
    readonly pagination: { readonly totalPages: number };
  };
}

/**
 * Iterates over all items of a list, page by page. It reads a page only when the caller gets to it.
 * @param readPage gets the answer of one page, by its number from 1
 * @throws the error of `readPage`
 */
export async function* eachItem<Item>(
  readPage: (page: number) => PromiseLike<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for (let page = 1; ; page += 1) {
    const { data } = await readPage(page);
    yield* data.items;
    if (page >= data.pagination.totalPages || data.items.length === 0) {
      return;
    }
  }
}
