package remitgraph

import "iter"

// Pages gives the items of all pages of a list, in their order. fetch returns the items of a page, from 1, and the number of
// pages. An error ends the sequence as its last pair. No page is fetched before its first item is asked for.
func Pages[Item any](fetch func(page int) (items []Item, pages int, err error)) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		// An empty page is behind the end, also if the list has become shorter since its pages were counted.
		for page, pages := 1, 1; page <= pages; page++ {
			items, total, err := fetch(page)
			if err != nil {
				var none Item
				yield(none, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if len(items) == 0 {
				return
			}
			pages = total
		}
	}
}
