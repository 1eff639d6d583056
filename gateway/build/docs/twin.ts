import { buildSchema, printType } from 'graphql';
import { typesOf } from './graphql-page.ts';
import type { GraphQLPart } from './graphql-parts.ts';
import { type Snippet, snippetsOf } from './languages.ts';
import { rootOf, type SitePage, type Target } from './site.ts';

/** The address of a page's Markdown twin on the twin of another page. */
export function twinAddressOf(page: string, from: string): string {
  return `${rootOf(from)}${page}.md`;
}

/**
 * The Markdown of a page for programs: its source, with links to other twins, without comments, and with each `curl` call in all
 * languages of the page.
 * @param resolve where a link leads
 */
export function markdownTwin(source: string, resolve: (href: string) => Target): string {
  // The odd parts are fences.
  const parts = source
    .split(FENCE)
    .map((part, index) => (index % 2 === 1 ? renderFence(part) : renderText(part, resolve)));
  return `${parts.join('').trim()}\n`;
}

const FENCE = /(^ *```.*\n[\s\S]*?^ *```$\n?)/m;
const COMMENT = /^<!--[\s\S]*?-->\n?/gm;
/** Code, which has no links, or a link. */
const CODE_OR_LINK = /(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|\[((?:`[^`]*`|[^[\]`])*)\]\(([^()\s]+)\)/g;

function renderText(text: string, resolve: (href: string) => Target): string {
  return text
    .replace(COMMENT, '')
    .replace(CODE_OR_LINK, (whole: string, code: string | undefined, inner = '', href = '') => {
      if (code !== undefined) {
        return whole;
      }
      const target = resolve(href);
      return 'href' in target ? `[${inner}](${target.href})` : `${inner} (\`${target.file}\`)`;
    });
}

/** The labels of fences. */
const LABELS = { curl: 'sh', JavaScript: 'js', Python: 'python' } satisfies Record<
  Snippet['language'],
  string
>;

function renderFence(fence: string): string {
  const [, indent = '', text] = /^( *)```sh\b.*\n([\s\S]*?)\n *```$/m.exec(fence) ?? [];
  const snippets = text === undefined ? [] : snippetsOf(withoutIndent(text, indent));
  return snippets.length === 0
    ? fence
    : snippets
        .map(({ language, text: call }) => `\`\`\`${LABELS[language]}\n${call}\n\`\`\`\n`)
        .join('\n')
        .replaceAll(/^(?=.)/gm, indent);
}

function withoutIndent(text: string, indent: string): string {
  return text
    .split('\n')
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join('\n');
}

/**
 * The twin of a page that shows an OpenAPI document.
 * @param openapi path of the document, without the first slash
 * @param calls title and path of each call
 */
export function apiTwin(
  { name, label }: Pick<SitePage, 'name' | 'label'>,
  openapi: string,
  calls: readonly string[],
): string {
  return `# ${label}

The calls of one REST API. The [OpenAPI 3.1 document](${rootOf(name)}../${openapi}) of the same server has all fields, answers and errors.

${calls.map((call) => `- ${call}\n`).join('')}`;
}

/** The sentences with which the twins of the graph's reference begin. */
const INTRODUCTIONS: Readonly<Record<GraphQLPart, string>> = {
  overview: 'The reference of the graph that clients see, in parts.',
  queries: 'Every query of the graph.',
  mutations: 'Every mutation of the graph. A mutation gives what it made, or `userErrors`.',
  subscriptions: 'Every subscription of the graph.',
  types: 'Every type of the graph that answers have.',
  inputs: 'Every input of the graph.',
  values: 'Every enum and scalar of the graph.',
};

/**
 * The twin of a page of the graph's reference: that part of the schema.
 * @param sdl the schema of clients
 * @param parts the pages of the reference
 */
export function graphqlTwin(
  { name, label }: Pick<SitePage, 'name' | 'label'>,
  part: GraphQLPart,
  sdl: string,
  parts: readonly SitePage[],
): string {
  const body =
    part === 'overview'
      ? [
          ...parts
            .filter((page) => page.name !== name)
            .map((page) => `- [${page.label}](${twinAddressOf(page.name, name)})`),
          `- [The whole schema as one file](${rootOf(name)}schema.graphql)`,
        ].join('\n')
      : `\`\`\`graphql\n${typesOf(part, buildSchema(sdl)).map(printType).join('\n\n')}\n\`\`\``;
  return `# ${label}\n\n${INTRODUCTIONS[part]}\n\n${body}\n`;
}
