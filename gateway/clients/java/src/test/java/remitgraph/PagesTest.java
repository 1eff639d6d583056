package remitgraph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class PagesTest {
    private static final List<List<Integer>> PAGES = List.of(List.of(1, 2), List.of(3), List.of(4, 5));

    @Test
    void givesEachItemAndFetchesNoPageTooEarly() {
        List<Integer> fetched = new ArrayList<>();
        Iterator<Integer> items = new Pages<Integer>(page -> {
            fetched.add(page);
            return new Pages.Page<>(PAGES.get(page - 1), PAGES.size());
        }).iterator();
        List<String> found = new ArrayList<>();
        while (items.hasNext()) {
            found.add(items.next() + " of " + fetched);
        }
        assertEquals(List.of("1 of [1]", "2 of [1]", "3 of [1, 2]", "4 of [1, 2, 3]", "5 of [1, 2, 3]"), found);
        assertThrows(NoSuchElementException.class, items::next);
    }

    @Test
    void endsAtAnEmptyPage() {
        List<Integer> fetched = new ArrayList<>();
        Iterator<Integer> items = new Pages<Integer>(page -> {
            fetched.add(page);
            return new Pages.Page<>(page == 1 ? List.of(1) : List.of(), 1_000);
        }).iterator();
        assertEquals(1, items.next());
        assertFalse(items.hasNext());
        assertFalse(items.hasNext());
        assertEquals(List.of(1, 2), fetched);
    }

    @Test
    void mayBeEmptyAndStartsAgain() {
        assertFalse(new Pages<Integer>(page -> new Pages.Page<>(List.of(), 0)).iterator().hasNext());
        Pages<Integer> pages = new Pages<>(page -> new Pages.Page<>(PAGES.get(page - 1), PAGES.size()));
        assertEquals(1, pages.iterator().next());
        assertEquals(1, pages.iterator().next());
    }

    @Test
    void endsWithTheErrorOfTheCall() {
        IOException checked = new IOException("wrong");
        IllegalStateException wrapped = assertThrows(IllegalStateException.class, () -> new Pages<Integer>(page -> {
            throw checked;
        }).iterator().hasNext());
        assertSame(checked, wrapped.getCause());
        IllegalArgumentException unchecked = new IllegalArgumentException("wrong");
        assertSame(unchecked, assertThrows(IllegalArgumentException.class, () -> new Pages<Integer>(page -> {
            throw unchecked;
        }).iterator().hasNext()));
    }
}
