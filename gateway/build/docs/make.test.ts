import { posix } from 'node:path';
import { expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import { makeDocs } from './make.ts';
import type { SearchEntry } from './search-entries.ts';
import { addressOf, readSite, resolveLink } from './site.ts';

const made = makeDocs(projectRoot());
const html = new Map(
  [...made].flatMap(([file, content]): [string, string][] =>
    file.endsWith('.html') ? [[file.slice(0, -'.html'.length), content.toString()]] : [],
  ),
);
/** The files that a page loads. */
const loadedBy = (text: string) =>
  [...text.matchAll(/<(?:link|script|img)\b[^>]*\s(?:href|src)="([^"]*)"/g)].map(([, url = '']) => url);
/** The targets of its links. */
const linksOf = (text: string) => [...text.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)].map(([, url = '']) => url);
/** From a page to a path below `/docs/`, as a browser resolves it. */
const resolve = (page: string, url: string) => {
  const address = new URL(url, `http://host/docs/${page === 'index' ? '' : page}`);
  return { path: address.pathname, hash: address.hash.slice(1) };
};
const idsOf = (text: string) => [...text.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id);

test('every page is listed once, and one is the first', () => {
  expect(html.size).toBeGreaterThan(20);
  const pages = readSite(projectRoot()).flatMap((section) => section.pages.map(({ name }) => name));
  expect(pages.toSorted()).toEqual([...html.keys()].sort());
  expect(pages).toContain('index');
});

test('every link leads to an existing page and heading', () => {
  const dead: string[] = [];
  let count = 0;
  for (const [page, text] of html) {
    for (const url of linksOf(text).filter((one) => !/^https?:/.test(one))) {
      const { path, hash } = resolve(page, url);
      const name = posix.relative('/docs', path) || 'index';
      const target = html.get(name);
      const isDocument = /^\.\.\/.*openapi\.json$/.test(name) || made.has(name);
      if (!isDocument && (target === undefined || (hash !== '' && !idsOf(target).includes(hash)))) {
        dead.push(`${page}: ${url}`);
      }
      count += 1;
    }
  }
  expect(dead).toEqual([]);
  expect(count).toBeGreaterThan(500);
});

test('a page loads only files of its own host that are made with it, and has no inline content that its policy forbids', () => {
  const assets = new Set([...made.keys()].map((path) => `/docs/${path}`));
  for (const [page, text] of html) {
    const loaded = loadedBy(text).filter((url) => url !== 'data:,');
    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.filter((url) => !assets.has(resolve(page, url).path))).toEqual([]);
    expect(text).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script>|javascript:/);
  }
});

test('a page has one main part, one first heading, unique ids, and headings without skipped levels', () => {
  for (const text of html.values()) {
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
    // Swagger UI brings its own main part.
    expect(text.split('<main ')).toHaveLength(text.includes('id="try"') ? 1 : 2);
    expect(text.split('<h1 ')).toHaveLength(2);
    expect(text).toContain('<a class="skip" href="#main">');
    const ids = idsOf(text);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const [main = ''] = /<main[\s\S]*<\/main>|$/.exec(text) ?? [];
    const levels = [...main.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level));
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  }
});

test('the search has each section once, at an address of a page, and each call of the API pages', () => {
  const [, content] = [...made].find(([path]) => path.endsWith('/search.json')) ?? [];
  const entries: SearchEntry[] = JSON.parse(String(content));
  const dead = entries.filter(({ href }) => {
    const [name = '', hash = ''] = href.replace(/^\.\//, 'index').split('#');
    const page = html.get(name);
    return page === undefined || (hash !== '' && !idsOf(page).includes(hash));
  });
  expect(dead).toEqual([]);
  expect(entries.map(({ id }) => id)).toEqual(entries.map((_, index) => index));
  const titles = entries.map(({ page, title }) => `${page}: ${title}`);
  expect(titles).toEqual(
    expect.arrayContaining([
      'Concepts and words: Sandbox and live',
      expect.stringMatching(/: POST \/v1\/request-money: ./),
      expect.stringMatching(/: createRequestMoney$/),
    ]),
  );
  const concept = entries.find(({ title }) => title === 'Sandbox and live');
  expect(concept?.text).toMatch(
    /^You have two accounts, sandbox and live, and the key decides which one a call reaches: /,
  );
});

test('pages have each single call in three languages, of which the first is shown and searched', () => {
  const groups = [...html].flatMap(([page, text]) => {
    const count = text.split('<div class="languages">').length - 1;
    expect(text.split(/<pre hidden data-language="(?:JavaScript|Python)"/)).toHaveLength(2 * count + 1);
    expect(count === 0 || text.includes('/languages.js"')).toBe(true);
    return count === 0 ? [] : [[page, count]];
  });
  expect(Object.fromEntries(groups)).toEqual({
    'quickstart-rest': 7,
    'quickstart-graphql': 1,
    'quickstart-live': 1,
    concepts: 1,
    sandbox: 1,
  });
  const [, entries] = [...made].find(([path]) => path.endsWith('/search.json')) ?? [];
  expect(String(entries)).not.toContain('urlopen');
});

test('the schema is a file, as clients see it', () => {
  const sdl = String(made.get('schema.graphql'));
  expect(buildSchema(sdl).getQueryType()?.getFields()).toHaveProperty('requestMoney');
});

test('the AsyncAPI description is a file, to which the page of events leads', () => {
  const { channels } = JSON.parse(String(made.get('asyncapi.json'))) as { channels: object };
  expect(Object.keys(channels)).toEqual(['endpoint', 'statusHook', 'operational']);
  expect(linksOf(String(html.get('events')))).toContain('asyncapi.json');
});

test('links between pages work in the repository and at /docs', () => {
  const links = {
    pages: new Map([
      ['gateway/docs/errors.md', 'errors'],
      ['CHANGELOG.md', 'changelog'],
    ]),
    exists: () => false,
  };
  const from = { name: 'api/x', source: 'gateway/docs/x.md' };
  expect(resolveLink('errors.md#not_found', from, links)).toEqual({ href: '../errors#not_found' });
  expect(resolveLink('../../CHANGELOG.md', from, links)).toEqual({ href: '../changelog' });
  expect(resolveLink('https://example.com', from, links)).toEqual({ href: 'https://example.com' });
  expect(() => resolveLink('gone.md', from, links)).toThrow(
    'gateway/docs/x.md: the link gone.md leads nowhere',
  );
  expect([addressOf('index', 'errors'), addressOf('index', 'api/x'), addressOf('errors', 'index')]).toEqual([
    './',
    '../',
    'errors',
  ]);
});

/** Relative luminance. Source: WCAG 2.2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test('text has the contrast of WCAG AA on every background, light and dark', () => {
  const css = String([...made].find(([path]) => path.endsWith('/docs.css'))?.[1]);
  const schemes = [...css.matchAll(/:root \{([^}]*)\}/g)].map(
    ([, rules = '']) =>
      new Map(
        [...rules.matchAll(/--(\w+): (#[0-9a-f]{6})/g)].map(([, name = '', color = '']) => [name, color]),
      ),
  );
  expect(schemes).toHaveLength(2);
  for (const colors of schemes) {
    for (const text of ['text', 'muted', 'link']) {
      for (const ground of ['page', 'raised', 'mark']) {
        const [dark = 0, light = 0] = [text, ground]
          .map((name) => luminance(String(colors.get(name))))
          .sort();
        expect((light + 0.05) / (dark + 0.05)).toBeGreaterThanOrEqual(4.5);
      }
    }
  }
});
