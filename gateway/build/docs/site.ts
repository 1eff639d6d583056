import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { z } from 'zod';
import { TOOL_FILES } from '../../http/docs/files.ts';
import { GRAPHQL_PARTS, type GraphQLPart } from './graphql-parts.ts';

/** The folder of the pages' sources; `pages.json` in it is the one list of the pages. */
const DOCS = 'gateway/docs';

const pageSchema = z.strictObject({
  /** Its path below `/docs/`; `index` is `/docs/` itself. */
  name: z.string(),
  /** Label in the navigation; by default the title of the page. */
  label: z.string().optional(),
  /** Markdown, from the folder of package.json; by default the file of this name in {@link DOCS}. */
  source: z.string().optional(),
  /** Path of the OpenAPI document that the page shows, without the first slash. The source is the file that makes it. */
  openapi: z.string().optional(),
  /** Part of the reference of the graph that the page has. The source is the schema. */
  graphql: z.enum(GRAPHQL_PARTS).optional(),
});
const listSchema = z.array(z.strictObject({ section: z.string(), pages: z.array(pageSchema) }));

/** A page that is made of Markdown, one that shows an OpenAPI document, or a part of the graph's reference. */
export interface SitePage {
  readonly name: string;
  readonly label: string;
  /** From the folder of package.json. Links to this file lead to the page. */
  readonly source: string;
  readonly content:
    | { readonly markdown: string }
    | { readonly openapi: string }
    | { readonly graphql: GraphQLPart; readonly sdl: string };
}

/** A group of pages in the navigation. */
export interface Section {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

/** Where a Markdown page that the list does not name is put. */
const UNLISTED = 'Operate';

/**
 * Reads the list of pages and their sources. A Markdown file of {@link DOCS} that is not listed becomes a page at the end of
 * the last section.
 * @param root the folder of package.json
 * @throws Error that names a missing source
 */
export function readSite(root: string): Section[] {
  const listed = listSchema.parse(JSON.parse(readFileSync(join(root, DOCS, 'pages.json'), 'utf8')));
  const sources = listed.flatMap(({ pages }) => pages.map(sourceOf));
  const others = readdirSync(join(root, DOCS))
    .filter((file) => file.endsWith('.md') && !sources.includes(`${DOCS}/${file}`))
    .map((file) => ({ name: file.slice(0, -'.md'.length) }));
  return listed.map(({ section, pages }) => ({
    title: section,
    pages: [...pages, ...(section === UNLISTED ? others : [])].map((page) => readPage(root, page)),
  }));
}

type ListedPage = z.infer<typeof pageSchema>;

const sourceOf = ({ name, source }: ListedPage) => source ?? `${DOCS}/${name}.md`;

function readPage(root: string, page: ListedPage): SitePage {
  const { name, label = name, openapi, graphql } = page;
  const source = sourceOf(page);
  if (!existsSync(join(root, source))) {
    throw new Error(`${DOCS}/pages.json: the page ${name} has no ${source}`);
  }
  if (openapi !== undefined) {
    return { name, label, source, content: { openapi } };
  }
  const text = readFileSync(join(root, source), 'utf8');
  if (graphql !== undefined) {
    return { name, label, source, content: { graphql, sdl: text } };
  }
  const [, title = name] = /^# (.+)$/m.exec(text) ?? [];
  return { name, label: page.label ?? title, source, content: { markdown: text } };
}

/** Pages and files to which Markdown sources may link. */
export interface Links {
  /** Pages by the path of their source. */
  readonly pages: ReadonlyMap<string, string>;
  /** Whether the repository has this file or folder. */
  exists(path: string): boolean;
}

export function linksOf(root: string, sections: readonly Section[]): Links {
  // Of several pages of one source links lead to the first; to a file only where no page has its source.
  const pages = sections.flatMap((section) => section.pages).reverse();
  const files = Object.entries(TOOL_FILES).map(([name, source]) => ({ name, source }));
  return {
    pages: new Map([...files, ...pages].map(({ source, name }) => [source, name])),
    exists: (path) => existsSync(join(root, path)),
  };
}

/** A link's target: an address, or a file that only the repository has. */
export type Target = { readonly href: string } | { readonly file: string };

/**
 * Finds where a link of a source leads on the pages.
 * @param from the page, and its source, that the link stands on
 * @param addressIn the address of a page on another one
 * @throws Error when nothing is there
 */
export function resolveLink(
  href: string,
  from: { readonly name: string; readonly source: string },
  links: Links,
  addressIn: typeof addressOf = addressOf,
): Target {
  if (/^(?:https?:|mailto:|#)/.test(href)) {
    return { href };
  }
  const [path = '', anchor] = href.split('#');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const file = posix.normalize(posix.join(posix.dirname(from.source), path));
  const page = links.pages.get(file);
  if (page !== undefined) {
    return { href: `${addressIn(page, from.name)}${hash}` };
  }
  if (!links.exists(file)) {
    throw new Error(`${from.source}: the link ${href} leads nowhere`);
  }
  return { file };
}

/** From a page back to `/docs/`: empty, or `../` for each folder that the page is in. */
export function rootOf(page: string): string {
  return '../'.repeat(page.split('/').length - 1);
}

/** The address of a page on another one. */
export function addressOf(page: string, from: string): string {
  const address = `${rootOf(from)}${page === 'index' ? '' : page}`;
  return address === '' ? './' : address;
}
