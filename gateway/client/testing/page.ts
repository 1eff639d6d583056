import { Window } from 'happy-dom';

// A page for React, which looks for it when react-dom is loaded. It belongs to the process, so a test file that imports it has
// its own.

const window = new Window();
for (const [name, value] of Object.entries({
  window,
  document: window.document,
  navigator: window.navigator,
})) {
  // Node has a navigator that cannot be assigned.
  Object.defineProperty(globalThis, name, { value, configurable: true });
}
const { createRoot } = await import('react-dom/client');

/** A place of the page where components can be rendered. */
export function openRoot() {
  const element = window.document.createElement('div');
  window.document.body.append(element);
  return { root: createRoot(element), element };
}

/** Ends the page. */
export const closePage = () => window.happyDOM.close();
