import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';

/** The examples of a README, by language and label, such as `ts apollo`. */
export interface Snippets {
  /** @throws when there is none */
  text(name: string): string;
  /** Runs one that is a module. @returns what it exports */
  load<Exports>(name: string): Promise<Exports>;
  /** Files with all that are TypeScript, those without a label too, for a check of their types. */
  readonly typed: readonly string[];
  remove(): void;
}

const FENCE = /^```(\w+)(?: (\w+))?\n([\s\S]*?)^```$/gm;

/**
 * Writes the examples of a README to a folder of `dist/`. From there they find packages, and the product by its name, as in a
 * project that uses it.
 * @param declarations by name: what an example uses without saying what it is
 */
export function writeSnippets(readme: string, declarations: Readonly<Record<string, string>>): Snippets {
  const folder = mkdtempSync(resolve('dist', '.snippets-'));
  const texts = new Map<string, string>();
  const typed: string[] = [];
  for (const [, language = '', label = '', text = ''] of readFileSync(readme, 'utf8').matchAll(FENCE)) {
    const name = `${language} ${label}`;
    texts.set(name, text);
    if (language === 'ts') {
      const file = join(folder, `${typed.length}.ts`);
      writeFileSync(file, `${text}\n${declarations[name] ?? ''}`);
      typed.push(file);
    }
  }
  const textOf = (name: string) => {
    const text = texts.get(name);
    if (text === undefined) {
      throw new Error(`${readme} has no example ${name}`);
    }
    return text;
  };
  return {
    text: textOf,
    async load(name) {
      const file = join(folder, `${name.replace(' ', '-')}.mjs`);
      writeFileSync(file, transformSync(textOf(name), { loader: 'ts', format: 'esm' }).code);
      return import(pathToFileURL(file).href);
    },
    typed,
    remove: () => rmSync(folder, { recursive: true }),
  };
}
