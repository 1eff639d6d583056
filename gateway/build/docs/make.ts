import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { buildSchema } from 'graphql';
import { z } from 'zod';
import { LLMS, TOOL_FILES } from '../../http/docs/files.ts';
import { graphqlPage } from './graphql-page.ts';
import { escapeHtml } from './html.ts';
import { llmsText } from './llms.ts';
import { renderMarkdown } from './markdown.ts';
import { type PageContent, type PageFiles, renderPage } from './page.ts';
import { searchEntries } from './search-entries.ts';
import { type Links, linksOf, readSite, resolveLink, rootOf, type Section, type SitePage } from './site.ts';
import { apiTwin, graphqlTwin, markdownTwin, twinAddressOf } from './twin.ts';

/** Makes the documentation pages. @param root the folder of package.json @returns the files, by path below `/docs/` */
export function makeDocs(root: string): Map<string, Buffer> {
  const sections = readSite(root);
  const links = linksOf(root, sections);
  const assets = readAssets(root);
  const pages = sections
    .flatMap((section) => section.pages)
    .map((page) => ({ page, content: contentOf(page, links) }));
  const entries = searchEntries(
    pages.map(({ page, content }) => ({ ...content, calls: callsOf(root, page) })),
  );
  assets.set(ENTRIES, assetOf(ENTRIES, Buffer.from(JSON.stringify(entries))));
  const twins = new Map(pages.map(({ page }) => [page.name, twinOf(root, page, { links, sections })]));
  const files = pages.flatMap(({ page, content }) => {
    const html = renderPage(content, sections, filesOf(page, assets));
    return [
      [`${page.name}.html`, Buffer.from(html)],
      [`${page.name}.md`, Buffer.from(String(twins.get(page.name)))],
    ] as const;
  });
  return new Map([
    ...files,
    [LLMS, Buffer.from(llmsText(sections, twins))],
    ...Object.entries(TOOL_FILES).map(([name, source]) => [name, readFileSync(join(root, source))] as const),
    ...[...assets.values()].map(({ path, content }) => [path, content] as const),
  ]);
}

/** Title and path of each call of a page that shows an OpenAPI document. */
function callsOf(root: string, { source }: SitePage): string[] {
  const [, surface] = /^rest-compat\/([^/]+)\/openapi\.ts$/.exec(source) ?? [];
  if (surface === undefined) {
    return [];
  }
  const document: unknown = JSON.parse(
    readFileSync(join(root, 'schema', 'openapi', `${surface}.json`), 'utf8'),
  );
  return Object.entries(documentSchema.parse(document).paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, { summary }]) => `${method.toUpperCase()} ${path}: ${summary}`),
  );
}

const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ summary: z.string() }))),
});

function contentOf(page: SitePage, links: Links): PageContent {
  const { name, source, content } = page;
  if ('openapi' in content) {
    return apiPage(page, content.openapi);
  }
  if ('graphql' in content) {
    return graphqlPage(page, content.graphql, buildSchema(content.sdl));
  }
  try {
    return { name, ...renderMarkdown(content.markdown, (href) => resolveLink(href, page, links)) };
  } catch (error) {
    throw new Error(`${source} cannot be made a page`, { cause: error });
  }
}

/** The page as Markdown, for programs. */
function twinOf(
  root: string,
  page: SitePage,
  { links, sections }: { readonly links: Links; readonly sections: readonly Section[] },
): string {
  const { content } = page;
  if ('openapi' in content) {
    return apiTwin(page, content.openapi, callsOf(root, page));
  }
  if ('graphql' in content) {
    const parts = sections.flatMap(({ pages }) => pages).filter((one) => 'graphql' in one.content);
    return graphqlTwin(page, content.graphql, content.sdl, parts);
  }
  return markdownTwin(content.markdown, (href) => resolveLink(href, page, links, twinAddressOf));
}

const STYLE = 'docs.css';
const SEARCH = 'search.js';
/** Of pages with calls in several languages. */
const LANGUAGES = 'languages.js';
const ENTRIES = 'search.json';
const LIBRARY = 'minisearch.js';
/** Further files of a page with calls to try. */
const TRY_STYLE = 'swagger-ui.css';
const TRY_SCRIPTS = ['swagger-ui-bundle.js', 'try.js'];

interface Asset {
  /** Below `/docs/`. It has the hash of the content, so that an address never means other bytes. */
  readonly path: string;
  readonly content: Buffer;
}

/** By the name of the file. */
function readAssets(root: string): Map<string, Asset> {
  const own = join(root, 'gateway', 'build', 'docs', 'assets');
  const swagger = join(
    dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')),
    'static',
  );
  const paths = [
    join(own, STYLE),
    join(own, SEARCH),
    join(own, LANGUAGES),
    join(own, 'try.js'),
    join(swagger, TRY_STYLE),
    join(swagger, 'swagger-ui-bundle.js'),
  ];
  const library = join(dirname(createRequire(import.meta.url).resolve('minisearch')), '..', 'es', 'index.js');
  return new Map([
    ...paths.map((path) => [basename(path), assetOf(basename(path), readFileSync(path))] as const),
    [LIBRARY, assetOf(LIBRARY, readFileSync(library))],
  ]);
}

function assetOf(name: string, content: Buffer): Asset {
  return { path: `assets/${hashOf(content)}/${name}`, content };
}

function filesOf({ content }: SitePage, assets: ReadonlyMap<string, Asset>): PageFiles {
  const isTried = 'openapi' in content;
  const pathOf = (name: string) => String(assets.get(name)?.path);
  return {
    styles: (isTried ? [TRY_STYLE, STYLE] : [STYLE]).map(pathOf),
    scripts: [SEARCH, ...(isTried ? TRY_SCRIPTS : []), ...('markdown' in content ? [LANGUAGES] : [])].map(
      pathOf,
    ),
    search: { entries: pathOf(ENTRIES), library: pathOf(LIBRARY) },
  };
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

/**
 * The page of an OpenAPI document. Swagger UI reads the document from the server that serves the page, so it is always that of
 * the running version, and sends the calls that a reader tries to the same server.
 * @param openapi path of the document, without the first slash
 */
function apiPage({ name, label }: SitePage, openapi: string): PageContent {
  const address = `${rootOf(name)}../${openapi}`;
  const html = `<section aria-labelledby="top">
<h1 id="top">${escapeHtml(label)}</h1>
<p>Every call with its fields, answers and errors. Press “Authorize” to set a key, then “Try it out”: the call goes to
this server, with its effects. The key stays in this page until it is closed or loaded again.</p>
<p>The same as <a href="${escapeHtml(address)}">OpenAPI 3.1, JSON</a>. Shown by Swagger UI, which its authors license under the
Apache License 2.0.</p>
<noscript><p>The list of calls needs JavaScript; the JSON document has the same.</p></noscript>
</section>
<div id="try" data-document="${escapeHtml(address)}"></div>
`;
  return { name, title: label, html, headings: [], bringsMain: true };
}
