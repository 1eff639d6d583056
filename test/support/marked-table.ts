import { readFileSync, writeFileSync } from 'node:fs';

/* Tables of Markdown that tests compare and write, each between `<!-- name -->` and `<!-- /name -->`. */

/** The cells of each row, without the heading. @throws when the file has no such table */
export function readTable(file: string, name: string): string[][] {
  return between(file, name)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** Replaces a table. @throws when the file has no such table */
export function writeTable(
  file: string,
  name: string,
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const [first, ...others] = [heading, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const lines = ['', first, `|${'---|'.repeat(heading.length)}`, ...others, ''];
  const present = between(file, name);
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(marked(name, present), () => marked(name, lines.join('\n'))),
  );
}

function between(file: string, name: string): string {
  const [begin, end] = marked(name, '\0').split('\0') as [string, string];
  const text = readFileSync(file, 'utf8').split(begin)[1]?.split(end)[0];
  if (text === undefined) {
    throw new Error(`${file} has no ${begin}`);
  }
  return text;
}

function marked(name: string, text: string): string {
  return `<!-- ${name} -->${text}<!-- /${name} -->`;
}
