// Adds tabs to the calls that the page has in several languages. Source: WAI-ARIA Authoring Practices, tabs with automatic activation.
const groups = [...document.querySelectorAll('.languages')];
const STORED = 'docs.language';

/** Storage that the reader has forbidden throws: then a choice lasts as long as the page. */
function storedLanguage() {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

function storeLanguage(language) {
  try {
    localStorage.setItem(STORED, language);
  } catch {
    // As above.
  }
}

/** Shows a language in every group that has it. */
function showLanguage(language) {
  for (const tabs of groups.map((group) => [...group.querySelectorAll('[role=tab]')])) {
    for (const tab of tabs.some(({ textContent }) => textContent === language) ? tabs : []) {
      const isChosen = tab.textContent === language;
      tab.setAttribute('aria-selected', isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      document.getElementById(tab.getAttribute('aria-controls')).hidden = !isChosen;
    }
  }
}

/** Chooses the language of a tab. The tab stays where it is on the screen, though groups above it change their height. */
function choose(tab) {
  const before = tab.getBoundingClientRect().top;
  showLanguage(tab.textContent);
  storeLanguage(tab.textContent);
  tab.focus({ preventScroll: true });
  scrollBy(0, tab.getBoundingClientRect().top - before);
}

function tabOf(panel, id) {
  const tab = document.createElement('button');
  Object.assign(tab, { type: 'button', id: `${id}-tab`, textContent: panel.dataset.language });
  tab.setAttribute('role', 'tab');
  tab.setAttribute('aria-controls', id);
  tab.addEventListener('click', () => choose(tab));
  panel.id = id;
  panel.setAttribute('role', 'tabpanel');
  panel.setAttribute('aria-labelledby', tab.id);
  panel.removeAttribute('aria-label');
  return tab;
}

for (const [index, group] of groups.entries()) {
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language');
  const tabs = [...group.children].map((panel, nth) => tabOf(panel, `language-${index}-${nth}`));
  list.append(...tabs);
  list.addEventListener('keydown', (event) => {
    const at = tabs.indexOf(document.activeElement);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (at >= 0 && next !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      choose(tabs.at(next % tabs.length));
    }
  });
  group.prepend(list);
}
showLanguage('curl');
showLanguage(storedLanguage());
