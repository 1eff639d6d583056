import { escapeHtml } from './html.ts';
import type { Heading } from './markdown.ts';
import { addressOf, rootOf, type Section } from './site.ts';

/** The parts of a page that differ between pages. */
export interface PageContent {
  /** Its path below `/docs/`. */
  readonly name: string;
  readonly title: string;
  /** The HTML inside `main`. */
  readonly html: string;
  readonly headings: readonly Heading[];
  /** Whether a script adds the main part inside of the content. */
  readonly bringsMain?: boolean;
}

/** Addresses of style sheets and scripts below `/docs/`, in their order. */
export interface PageFiles {
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  /** The entries of the search, and the library that searches them. */
  readonly search: { readonly entries: string; readonly library: string };
}

/** The HTML of a page: head, navigation, table of contents and content. Nothing in it is inline script or style. */
export function renderPage(page: PageContent, sections: readonly Section[], files: PageFiles): string {
  const root = rootOf(page.name);
  const { title, bringsMain = false } = page;
  const main = bringsMain ? 'div' : 'main';
  const heading = title === 'remitgraph' ? title : `${title} · remitgraph`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(heading)}</title>
<link rel="icon" href="data:,">
<link rel="alternate" type="text/markdown" href="${root}${page.name}.md">
${files.styles.map((path) => `<link rel="stylesheet" href="${root}${path}">`).join('\n')}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="${addressOf('index', page.name)}">remitgraph</a>
${renderSearch(root, files.search)}
<a class="to-pages" href="#pages">All pages</a>
</header>
<div class="layout">
<${main} class="main" id="main" tabindex="-1">
${withContents(page)}
</${main}>
<nav class="pages" id="pages" aria-label="Pages" tabindex="-1">
${sections.map((section) => renderSection(section, page.name)).join('\n')}
</nav>
</div>
${files.scripts.map((path) => `<script src="${root}${path}"></script>`).join('\n')}
</body>
</html>
`;
}

/** The field of the search, which its script shows. */
function renderSearch(root: string, { entries, library }: PageFiles['search']): string {
  return `<form class="find" role="search" hidden data-root="${root || './'}" data-entries="${root}${entries}" data-library="${root}${library}">
<input type="search" aria-label="Search the documentation" placeholder="Search (/)" autocomplete="off" spellcheck="false" maxlength="100">
<p role="status"></p>
<ol></ol>
</form>`;
}

function renderSection({ title, pages }: Section, current: string): string {
  const items = pages.map(({ name, label }) => {
    const mark = name === current ? ' aria-current="page"' : '';
    return `<li><a href="${addressOf(name, current)}"${mark}>${escapeHtml(label)}</a></li>`;
  });
  return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}

/** Pages with fewer sections have no table of contents. */
const FEWEST_SECTIONS = 3;

/** The content, with a table of its sections behind the title. */
function withContents({ html, headings }: PageContent): string {
  const sections = headings.filter(({ depth }) => depth === 2);
  const end = '</h1>\n';
  const at = html.indexOf(end) + end.length;
  if (sections.length < FEWEST_SECTIONS) {
    return html;
  }
  const items = sections.map(({ id, html: text }) => `<li><a href="#${id}">${withoutLinks(text)}</a></li>`);
  const contents = `<nav class="contents" aria-label="On this page">\n<ul>\n${items.join('\n')}\n</ul>\n</nav>\n`;
  return html.slice(0, at) + contents + html.slice(at);
}

function withoutLinks(html: string): string {
  return html.replaceAll(/<\/?a\b[^>]*>/g, '');
}
