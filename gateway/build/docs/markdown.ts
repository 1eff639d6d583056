import { Marked, type RendererObject, type Tokens } from 'marked';
import { escapeHtml } from './html.ts';
import { type Snippet, snippetsOf } from './languages.ts';
import type { Target } from './site.ts';

/** A heading that the table of contents may list. */
export interface Heading {
  readonly id: string;
  readonly html: string;
  readonly depth: number;
}

interface RenderedMarkdown {
  /** The text of the first heading. */
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** The id that a repository's site gives to a heading, so that links work in both places. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/**
 * Makes HTML of a source. The source's own HTML is not passed on: comments are left out, and anything else is an error.
 * @param resolve where a link leads
 * @throws Error for HTML in the source, and what `resolve` throws
 */
export function renderMarkdown(source: string, resolve: (href: string) => Target): RenderedMarkdown {
  const headings: Heading[] = [];
  const marked = new Marked({ gfm: true, renderer: rendererOf(headings, resolve) });
  const html = marked.parse(source, { async: false });
  const [first] = headings;
  if (first?.depth !== 1) {
    throw new Error('A page begins with a heading');
  }
  return { title: textOf(first.html), html, headings };
}

/** Makes HTML of a description in the schema: a line of Markdown, whose own HTML is shown as text. */
export function renderInline(text: string): string {
  return INLINE.parseInline(text, { async: false });
}

const INLINE = new Marked({
  renderer: { html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text) },
});

function rendererOf(headings: Heading[], resolve: (href: string) => Target): RendererObject {
  const used = new Map<string, number>();
  return {
    heading({ tokens, depth, text }: Tokens.Heading) {
      const html = this.parser.parseInline(tokens);
      const id = uniqueId(slugOf(text), used);
      headings.push({ id, html, depth });
      const link =
        depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
      return `<h${depth} id="${id}">${html}${link}</h${depth}>\n`;
    },
    link({ href, tokens }: Tokens.Link) {
      const inner = this.parser.parseInline(tokens);
      const target = resolve(href);
      return 'href' in target
        ? `<a href="${escapeHtml(target.href)}">${inner}</a>`
        : `${inner} (<code>${escapeHtml(target.file)}</code>)`;
    },
    code({ text, lang }: Tokens.Code) {
      const label = lang === undefined || lang === '' ? 'text' : String(lang.split(' ')[0]);
      const snippets = label === 'sh' ? snippetsOf(text) : [];
      return snippets.length === 0 ? renderCode(text, label) : renderSnippets(snippets);
    },
    table(token: Tokens.Table) {
      const cells = (row: readonly Tokens.TableCell[], tag: string) =>
        row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag.split(' ')[0]}>`).join('');
      // An empty cell is not a header cell.
      const head = `<thead><tr>${cells(token.header, 'th scope="col"').replaceAll('<th scope="col"></th>', '<td></td>')}</tr></thead>`;
      const body = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
      return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${head}\n<tbody>${body}</tbody></table></div>\n`;
    },
    checkbox({ checked }: Tokens.Checkbox) {
      return `<span aria-hidden="true">${checked ? '☑' : '☐'}</span> `;
    },
    html({ text }: Tokens.HTML | Tokens.Tag) {
      if (!/^\s*<!--[\s\S]*-->\s*$/.test(text)) {
        throw new Error(`HTML in a source: ${text}`);
      }
      return '';
    },
  };
}

/** Attributes are made here, not escaped. */
function renderCode(text: string, label: string, attributes = ''): string {
  // It scrolls on narrow screens, so the keyboard must reach it.
  return `<pre${attributes} tabindex="0" role="group" aria-label="Example, ${escapeHtml(label)}"><code>${escapeHtml(text)}\n</code></pre>\n`;
}

/** A call in each language, to which a script adds tabs. Without it the page shows the first language, which is that of the source. */
function renderSnippets(snippets: readonly Snippet[]): string {
  const panels = snippets.map(({ language, text }, index) =>
    renderCode(text, language, `${index === 0 ? '' : ' hidden'} data-language="${language}"`),
  );
  return `<div class="languages">\n${panels.join('')}</div>\n`;
}

function uniqueId(slug: string, used: Map<string, number>): string {
  const times = used.get(slug) ?? 0;
  used.set(slug, times + 1);
  return times === 0 ? slug : `${slug}-${times}`;
}

/** The text of inline HTML that was made here. */
function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
