package remitgraph;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The items of all pages of a list, in their order. No page is fetched before its first item is asked for.
 *
 * @param <T> an item
 */
public final class Pages<T> implements Iterable<T> {
    /** A page of a list: its items, and the number of pages. */
    public record Page<T>(List<T> items, int pages) {}

    /**
     * Reads a page.
     *
     * @param <T> an item
     */
    @FunctionalInterface
    public interface Fetch<T> {
        /** @param page from 1 */
        Page<T> fetch(int page) throws Exception;
    }

    private final Fetch<T> fetch;

    public Pages(Fetch<T> fetch) {
        this.fetch = fetch;
    }

    /** From the first page on. A checked exception of the call is the cause of an {@link IllegalStateException}. */
    @Override
    public Iterator<T> iterator() {
        return new Iterator<>() {
            private int next = 1;
            private int pages = 1;
            private Iterator<T> items = List.<T>of().iterator();

            @Override
            public boolean hasNext() {
                if (!items.hasNext() && next <= pages) {
                    Page<T> page = read(next++);
                    items = page.items().iterator();
                    // An empty page is behind the end, also if the list has become shorter since its pages were counted.
                    pages = page.items().isEmpty() ? 0 : page.pages();
                }
                return items.hasNext();
            }

            @Override
            public T next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return items.next();
            }
        };
    }

    private Page<T> read(int page) {
        try {
            return fetch.fetch(page);
        } catch (RuntimeException error) {
            throw error;
        } catch (Exception error) {
            throw new IllegalStateException("Page " + page + " cannot be read", error);
        }
    }
}
