package remitgraph

import (
	"errors"
	"reflect"
	"testing"
)

func TestPagesGivesEachItemAndFetchesNoPageTooEarly(t *testing.T) {
	pages := [][]int{{1, 2}, {3}, {4, 5}}
	fetched := 0
	sequence := Pages(func(page int) ([]int, int, error) {
		fetched = page
		return pages[page-1], len(pages), nil
	})
	var found []int
	for item, err := range sequence {
		if err != nil || fetched != map[int]int{1: 1, 2: 1, 3: 2, 4: 3, 5: 3}[item] {
			t.Fatal(item, fetched, err)
		}
		found = append(found, item)
	}
	if !reflect.DeepEqual(found, []int{1, 2, 3, 4, 5}) {
		t.Error(found)
	}
	for item := range sequence {
		if item == 2 {
			break
		}
	}
	if fetched != 1 {
		t.Error("a page was fetched that nobody asked for")
	}
}

func TestPagesEndsWithAnErrorOrWithoutPages(t *testing.T) {
	wrong := errors.New("wrong")
	var errs []error
	for _, err := range Pages(func(page int) ([]int, int, error) {
		if page == 2 {
			return nil, 0, wrong
		}
		return []int{1}, 3, nil
	}) {
		errs = append(errs, err)
	}
	if !reflect.DeepEqual(errs, []error{nil, wrong}) {
		t.Error(errs)
	}
	for range Pages(func(int) ([]int, int, error) { return nil, 0, nil }) {
		t.Error("there is an item")
	}
	fetched := 0
	for range Pages(func(page int) ([]int, int, error) {
		fetched = page
		return make([]int, max(0, 3-page)), 1_000, nil
	}) {
	}
	if fetched != 3 {
		t.Error("pages were fetched behind an empty one:", fetched)
	}
}
