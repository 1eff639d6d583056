import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { buildSchema } from 'graphql';
import { type DocsFile, MANIFEST } from '../../http/docs/files.ts';
import { apiPage } from './api-page.ts';
import { graphqlPage } from './graphql-page.ts';
import { renderMarkdown } from './markdown.ts';
import { type PageContent, type PageFiles, renderPage } from './page.ts';
import { type Links, linksOf, readSite, resolveLink, type SitePage } from './site.ts';

/** Makes the documentation pages. @param root the folder of package.json @returns the files, the list of them included */
export function makeDocs(root: string): Map<string, Buffer> {
  const sections = readSite(root);
  const links = linksOf(root, sections);
  const assets = readAssets(root);
  const pages = sections.flatMap((section) => section.pages);
  const made = pages.map((page): [DocsFile, Buffer] => {
    const files = filesOf(page, assets);
    const content = Buffer.from(renderPage(contentOf(page, links), sections, files));
    return describe(page.name === 'index' ? '' : page.name, `${page.name}.html`, content);
  });
  const all = [
    ...made,
    ...[...assets.values()].map(({ file, content }): [DocsFile, Buffer] => [file, content]),
  ];
  const list = JSON.stringify(all.map(([file]) => file));
  return new Map([
    ...all.map(([{ file }, content]): [string, Buffer] => [file, content]),
    [MANIFEST, Buffer.from(list)],
  ]);
}

/** Writes the pages to a folder. */
export function writeDocs(root: string, folder: string): void {
  for (const [file, content] of makeDocs(root)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
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

interface Asset {
  readonly file: DocsFile;
  readonly content: Buffer;
}

const STYLE = 'docs.css';
/** What a page that tries calls loads besides. */
const TRY_STYLE = 'swagger-ui.css';
const TRY_SCRIPTS = ['swagger-ui-bundle.js', 'try.js'];

/** By the name of the file. */
function readAssets(root: string): Map<string, Asset> {
  const own = join(root, 'gateway', 'cli', 'docs', 'assets');
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
      const [file] = describe(`assets/${hashOf(content)}/${name}`, name, content);
      return [name, { file: { ...file, isAsset: true }, content }];
    }),
  );
}

function filesOf({ content }: SitePage, assets: ReadonlyMap<string, Asset>): PageFiles {
  const isTried = 'openapi' in content;
  const paths = (names: readonly string[]) => names.map((name) => String(assets.get(name)?.file.path));
  return {
    styles: paths(isTried ? [TRY_STYLE, STYLE] : [STYLE]),
    scripts: paths(isTried ? TRY_SCRIPTS : []),
  };
}

function describe(path: string, file: string, content: Buffer): [DocsFile, Buffer] {
  return [{ path, file, hash: hashOf(content), bytes: content.length, isAsset: false }, content];
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
