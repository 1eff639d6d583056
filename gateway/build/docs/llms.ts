import { ROOT_MARK } from '../../http/docs/files.ts';
import type { Section } from './site.ts';

/**
 * The list of the pages for language models: each with its Markdown twin and a sentence. Source: llmstxt.org.
 * @param twins the Markdown of the pages, by name
 */
export function llmsText(sections: readonly Section[], twins: ReadonlyMap<string, string>): string {
  const textOf = (name: string) => firstParagraph(String(twins.get(name)));
  const lists = sections.map(({ title, pages }) => {
    const lines = pages.map(
      ({ name, label }) => `- [${label}](${ROOT_MARK}/docs/${name}.md): ${firstSentence(textOf(name))}\n`,
    );
    return `## ${title}\n\n${lines.join('')}`;
  });
  return `# remitgraph

> ${textOf('index')}

The pages describe the version of the server that serves them. Each is a Markdown file. The address without \`.md\` is the same page for
browsers.

${lists.join('\n')}`;
}

/** The first text after the title, in one line, with the words of links alone. READMEs of folders begin with what belongs there. */
function firstParagraph(markdown: string): string {
  const [, text = ''] = /^# .*\n+(?:Belongs here: )?([\s\S]*?)(?:\n\n|$)/.exec(markdown) ?? [];
  return text
    .replaceAll(/\[((?:`[^`]*`|[^[\]`])*)\]\([^()\s]+\)/g, '$1')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
}
