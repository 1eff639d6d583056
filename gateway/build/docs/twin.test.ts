import { describe, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { Marked, type Token } from 'marked';
import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import { makeDocs } from './make.ts';
import { readSite, type SitePage, type Target } from './site.ts';
import { apiTwin, graphqlTwin, markdownTwin, twinAddressOf } from './twin.ts';

const made = makeDocs(projectRoot());
const textOf = (path: string) => String(made.get(path));
const pages = readSite(projectRoot()).flatMap((section) => section.pages);
const markdownPages = pages.filter(({ content }) => 'markdown' in content);
const resolve = (href: string): Target =>
  href.endsWith('.md') ? { href: `../${href}` } : { file: `a/${href}` };

/** The targets of the links of a Markdown text, and the texts of its fences, as a parser of Markdown finds them. */
function read(markdown: string): { readonly links: string[]; readonly fences: string[] } {
  const links: string[] = [];
  const fences: string[] = [];
  const marked = new Marked({ gfm: true });
  void marked.walkTokens(marked.lexer(markdown), (token: Token) => {
    if (token.type === 'link') {
      links.push(String(token.href));
    } else if (token.type === 'code') {
      fences.push(String(token.text));
    }
  });
  return { links, fences };
}

describe('The Markdown twin of a page', () => {
  test('keeps the text, leads to twins, and names files that only the repository has', () => {
    const source =
      '<!-- Made. -->\n# T\n\nSee [`x` and y](b.md) and [code](c.ts), not `[a](d.md)`.\n\n| a |\n|---|\n| [t](e.md) |\n';
    expect(markdownTwin(source, resolve)).toBe(
      '# T\n\nSee [`x` and y](../b.md) and code (`a/c.ts`), not `[a](d.md)`.\n\n| a |\n|---|\n| [t](../e.md) |\n',
    );
  });

  test('has a call in each language, in a list too, and leaves other code alone', () => {
    const call = 'curl localhost:4000/x -H "X-API-Key: $KEY"';
    const twin = markdownTwin(
      `# T\n\n\`\`\`sh\n${call}\n\`\`\`\n\n- item\n\n  \`\`\`sh\n  ${call}\n  \`\`\`\n\n\`\`\`sh\nnpm [x](y.md)\n\`\`\`\n`,
      resolve,
    );
    const { fences } = read(twin);
    expect(fences).toHaveLength(7);
    expect(fences[0]).toBe(call);
    expect(fences[1]).toContain("await fetch('http://localhost:4000/x'");
    expect(fences[2]).toContain('from urllib.request import');
    expect(fences.slice(3, 6)).toEqual(fences.slice(0, 3));
    expect(fences[6]).toBe('npm [x](y.md)');
  });

  test.each(markdownPages.map(({ name }) => [name]))(
    'of %s has the links and examples of the page',
    (name) => {
      const html = textOf(`${name}.html`);
      const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(html) ?? [];
      const expected = [...main.replace(/<nav[\s\S]*?<\/nav>/, '').matchAll(/<a href="([^"]*)"/g)].map(
        ([, href = '']) => href,
      );
      const { links, fences } = read(textOf(`${name}.md`));
      const base = `http://host/docs/${name}`;
      const addressOf = (href: string) =>
        new URL(href, base).href.replace(/\/index\.md(?=#|$)/, '/').replace(/\.md(?=#|$)/, '');
      const anchors = new URL(base).href;
      expect(links.map(addressOf).map((href) => href.replace(`${anchors}.md#`, `${anchors}#`))).toEqual(
        expected.map((href) => new URL(href.replaceAll('&amp;', '&'), base).href),
      );
      expect(fences).toHaveLength(main.split('<pre').length - 1);
    },
  );

  test('is linked by its page', () => {
    for (const { name } of pages) {
      const [, href = ''] =
        /<link rel="alternate" type="text\/markdown" href="([^"]+)">/.exec(textOf(`${name}.html`)) ?? [];
      const address = new URL(href, `http://host/docs/${name === 'index' ? '' : name}`);
      expect(address.pathname).toBe(`/docs/${name}.md`);
      expect(textOf(`${name}.md`)).toMatch(/^# \S/);
    }
  });

  test('of an OpenAPI document lists its calls', () => {
    const twin = apiTwin({ name: 'api/x', label: 'X' }, 'v1/openapi.json', ['GET /v1/x: Find x']);
    expect(twin).toMatch(/^# X\n[\s\S]*\(\.\.\/\.\.\/v1\/openapi\.json\)[\s\S]*\n- GET \/v1\/x: Find x\n$/);
    expect(textOf('api/request-money.md')).toMatch(/\n- POST \/v1\/request-money: ./);
  });

  test('of the graph has every part of the schema once', () => {
    const parts = pages.flatMap(({ name, content }) =>
      'graphql' in content && content.graphql !== 'overview' ? [name] : [],
    );
    const sdl = parts.map((name) => read(textOf(`${name}.md`)).fences.join('\n')).join('\n');
    const whole = buildSchema(textOf('schema.graphql'));
    expect(Object.keys(buildSchema(sdl).getTypeMap()).toSorted()).toEqual(
      Object.keys(whole.getTypeMap()).toSorted(),
    );
    expect(read(textOf('graphql.md')).links).toEqual([
      ...parts.map((name) => `${name}.md`),
      'schema.graphql',
    ]);
  });

  test('of the overview links the other parts, relative to itself', () => {
    const part = (name: string): SitePage => ({
      name,
      label: name,
      source: 's',
      content: { graphql: 'types', sdl: '' },
    });
    const twin = graphqlTwin(part('a/graphql'), 'overview', '', [part('a/graphql'), part('a/types')]);
    expect(read(twin).links).toEqual(['../a/types.md', '../schema.graphql']);
    expect(twinAddressOf('index', 'api/x')).toBe('../index.md');
  });
});

describe('llms.txt', () => {
  const text = textOf('llms.txt');

  test('has the form of llmstxt.org: a title, a quote, and lists of links with notes', () => {
    const marked = new Marked({ gfm: true });
    const [title, quote, ...rest] = marked.lexer(text).filter(({ type }) => type !== 'space');
    expect([title?.type, title?.raw.trim()]).toEqual(['heading', '# remitgraph']);
    expect(quote?.type).toBe('blockquote');
    expect(rest.map(({ type }) => type)).toEqual([
      'paragraph',
      ...['heading', 'list', 'heading', 'list', 'heading', 'list', 'heading', 'list'],
    ]);
  });

  test('lists each page once, with a sentence', () => {
    const lines = [...text.matchAll(/^- \[([^\]]+)\]\(\{\{root\}\}\/docs\/(\S+)\.md\): (.+)$/gm)];
    expect(lines.map(([, label, name]) => [name, label])).toEqual(
      pages.map(({ name, label }) => [name, label]),
    );
    expect(
      lines.filter(([, , , note = '']) => note.length < 15 || note.length > 400 || /\]\(/.test(note)),
    ).toEqual([]);
  });
});
