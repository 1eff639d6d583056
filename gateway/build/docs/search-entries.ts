import type { PageContent } from './page.ts';
import { addressOf } from './site.ts';

/** A section that the search of the pages can find. */
export interface SearchEntry {
  /** Its place among all. */
  readonly id: number;
  /** Title of its page. */
  readonly page: string;
  /** Heading of the section; the page's title for the part before the first section. */
  readonly title: string;
  /** Its text, without markup. */
  readonly text: string;
  /** Address below `/docs/`. */
  readonly href: string;
}

/** A page, with the texts of the calls that it shows. */
type SearchedPage = Pick<PageContent, 'name' | 'title' | 'html'> & { readonly calls: readonly string[] };

/** Each section of the pages, and each call. */
export function searchEntries(pages: readonly SearchedPage[]): SearchEntry[] {
  return pages
    .flatMap((page) => {
      const address = addressOf(page.name, 'index');
      const calls = page.calls.map((text) => ({ title: text, text, href: address }));
      return [...sectionsOf(page, address), ...calls].map((section) => ({ page: page.title, ...section }));
    })
    .map((section, id) => ({ id, ...section }));
}

function sectionsOf({ title, html }: SearchedPage, address: string) {
  const parts = html.split(/(?=<h[1-3] id=)/).filter((part) => part.startsWith('<h'));
  return parts.map((part) => {
    const [whole = '', level, id, heading = ''] =
      /^<h([1-3]) id="([^"]*)">([\s\S]*?)<\/h\1>/.exec(part) ?? [];
    const isTitle = level === '1';
    return {
      title: isTitle ? title : plain(heading.replace(/<a class="anchor"[\s\S]*$/, '')),
      text: plain(part.slice(whole.length)),
      href: isTitle ? address : `${address}#${id}`,
    };
  });
}

const CHARACTERS: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

function plain(html: string): string {
  return (
    html
      // A call in further languages says the same.
      .replace(/<pre hidden[\s\S]*?<\/pre>/g, '')
      .replace(/<\/?(?:a|code|strong|em|span)\b[^>]*>/g, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => CHARACTERS[entity] ?? entity)
      .replace(/\s+/g, ' ')
      .trim()
  );
}
