import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { buildSchema } from 'graphql';
import { graphqlPage } from './graphql-page.ts';
import { escapeHtml } from './html.ts';
import { renderMarkdown } from './markdown.ts';
import { type PageContent, type PageFiles, renderPage } from './page.ts';
import { type Links, linksOf, readSite, resolveLink, rootOf, type SitePage } from './site.ts';

/** Makes the documentation pages. @param root the folder of package.json @returns the files, by path below `/docs/` */
export function makeDocs(root: string): Map<string, Buffer> {
  const sections = readSite(root);
  const links = linksOf(root, sections);
  const assets = readAssets(root);
  const pages = sections
    .flatMap((section) => section.pages)
    .map((page) => {
      const html = renderPage(contentOf(page, links), sections, filesOf(page, assets));
      return [`${page.name}.html`, Buffer.from(html)] as const;
    });
  return new Map([...pages, ...[...assets.values()].map(({ path, content }) => [path, content] as const)]);
}

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

const STYLE = 'docs.css';
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
    join(own, 'try.js'),
    join(swagger, TRY_STYLE),
    join(swagger, 'swagger-ui-bundle.js'),
  ];
  return new Map(
    paths.map((path) => {
      const name = basename(path);
      const content = readFileSync(path);
      return [name, { path: `assets/${hashOf(content)}/${name}`, content }];
    }),
  );
}

function filesOf({ content }: SitePage, assets: ReadonlyMap<string, Asset>): PageFiles {
  const isTried = 'openapi' in content;
  const paths = (names: readonly string[]) => names.map((name) => String(assets.get(name)?.path));
  return {
    styles: paths(isTried ? [TRY_STYLE, STYLE] : [STYLE]),
    scripts: paths(isTried ? TRY_SCRIPTS : []),
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
