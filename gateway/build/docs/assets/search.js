// Searches the documentation. The entries, and the library that searches them, are loaded with the first letter.
const form = document.querySelector('.find');
const input = form.querySelector('input');
const list = form.querySelector('ol');
const status = form.querySelector('[role=status]');
/** Most results that are shown. */
const MOST = 8;
/** Letters of a result's text. */
const EXCERPT = 110;
let loading;

async function load() {
  const [{ default: MiniSearch }, entries] = await Promise.all([
    import(new URL(form.dataset.library, document.baseURI)),
    fetch(form.dataset.entries).then((response) => response.json()),
  ]);
  const search = new MiniSearch({
    fields: ['title', 'page', 'text'],
    storeFields: ['page', 'title', 'text', 'href'],
    // Names such as requestMoney and ERROR_CIP_NOT_FOUND are found whole and by their parts.
    tokenize: (text) =>
      text
        .split(/[^\p{L}\p{N}_]+/u)
        .flatMap((word) => [word, ...(/_|[a-z][A-Z]/.test(word) ? word.split(/_|(?<=[a-z])(?=[A-Z])/) : [])]),
    searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  });
  search.addAll(entries);
  return search;
}

function show(results) {
  list.replaceChildren(
    ...results.slice(0, MOST).map(({ page, title, text, href }) => {
      const link = document.createElement('a');
      link.href = form.dataset.root + href;
      const name = document.createElement('strong');
      name.textContent = page === title ? page : `${page}: ${title}`;
      link.append(name, ` ${text.slice(0, EXCERPT)}${text.length > EXCERPT ? '…' : ''}`);
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
}

function countOf(found) {
  if (found > MOST) {
    return `${MOST} of ${found} results`;
  }
  return found === 0 ? 'Nothing found' : `${found} result${found === 1 ? '' : 's'}`;
}

/** Shows the results of the present text. */
async function search() {
  const text = input.value.trim();
  if (text === '') {
    list.replaceChildren();
    status.textContent = '';
    return;
  }
  try {
    loading ??= load();
    const results = (await loading).search(text);
    if (input.value.trim() === text) {
      show(results);
      status.textContent = countOf(results.length);
    }
  } catch {
    loading = undefined;
    status.textContent = 'The search cannot be loaded. Type again to retry.';
  }
}

input.addEventListener('input', search);
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  // The list may still show an earlier text.
  await search();
  list.querySelector('a')?.click();
});
form.addEventListener('keydown', (event) => {
  const links = [...list.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (event.key === 'Escape') {
    input.value = '';
    void search();
    input.focus();
  } else if (event.key === 'ArrowDown' && links[at + 1]) {
    event.preventDefault();
    links[at + 1].focus();
  } else if (event.key === 'ArrowUp' && at >= 0) {
    event.preventDefault();
    (links[at - 1] ?? input).focus();
  }
});
document.addEventListener('keydown', (event) => {
  const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    input.focus();
  }
});
form.hidden = false;
