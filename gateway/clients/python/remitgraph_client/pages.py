"""Iteration over the lists of the partner API."""

from collections.abc import Callable, Iterator
from typing import Any


def each_item(read_page: Callable[[int], Any]) -> Iterator[Any]:
    """Iterates over all items of a list, page by page. It reads a page only when the caller gets to it.

    read_page: gets the parsed answer of one page, by its number from 1.

    Raises the error of `read_page`.
    """
    page = 1
    while True:
        data = read_page(page).data
        yield from data.items
        if page >= data.pagination.total_pages or not data.items:
            return
        page += 1
