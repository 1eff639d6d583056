import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';

/** The examples of a README, by language and label, such as `ts apollo`. */
export interface Snippets {
  /** @throws when there is none */
  text(name: string): string;
  /** Runs one that is a module. @returns its exports */
  load<Exports>(name: string): Promise<Exports>;
  /** Files with all that are TypeScript, those without a label too, for a check of their types. */
  readonly typed: readonly string[];
  remove(): void;
}

const FENCE = /^```(\w+)(?: (\w+))?\n([\s\S]*?)^```$/gm;

/** An example of a page. */
export interface Example {
  readonly language: string;
  /** The second word behind the fence; empty without one. */
  readonly label: string;
  readonly text: string;
}

/** The examples of a page, in their order. */
export function readExamples(path: string): Example[] {
  return [...readFileSync(path, 'utf8').matchAll(FENCE)].map(([, language = '', label = '', text = '']) => ({
    language,
    label,
    text,
  }));
}

/**
 * Checks the types of files as a strict project does.
 * @param types packages of types besides those of browsers, such as `node`
 * @returns the compiler's exit code, and what it said
 */
export function checkTypes(files: readonly string[], types = ''): [number | null, string] {
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022'];
  const runtime = ['--module', 'nodenext', '--lib', 'es2022,dom,dom.iterable,dom.asynciterable'];
  const compiler = ['node_modules/typescript/bin/tsc', ...options, ...runtime, '--types', types];
  const { stdout, status } = spawnSync(process.execPath, [...compiler, ...files], { encoding: 'utf8' });
  return [status, stdout];
}

/** Reads a stream until what came has the pattern, then leaves it. @returns the text so far */
export async function readUntil(stream: Response, awaited: RegExp): Promise<string> {
  let text = '';
  for await (const part of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (awaited.test(text)) {
      return text;
    }
  }
  throw new Error(`The stream ended without ${awaited}: ${text}`);
}

/** The values that differ from one server to the next, by kind: ids, times, cursors and secrets. */
const OWN: readonly (readonly [RegExp, string])[] = [
  [/(?<=\/fund\/)[\w-]{22}/g, '…'],
  [/(?<="(?:usr|req|op|pm|lnk|btk)_)[\w-]{20}(?=")/g, '…'],
  [/(?<="(?:latestEventCursor|cursor|endCursor)":")[\w-]{40,}/g, '…'],
  [/(?<=")\d{4}-\d\d-\d\dT[\d:.]+Z(?=")/g, '…'],
  [/(?<="webhookSecret":")[^"]+|raas_browser_[\w-]+/g, '…'],
];

/** An answer without what differs from one server to the next. */
export function comparable(answer: unknown): unknown {
  return JSON.parse(
    OWN.reduce((text, [pattern, same]) => text.replaceAll(pattern, same), JSON.stringify(answer)),
  );
}

/**
 * Writes the examples of a README to a folder of `dist/`. From there they find packages, and the product by its name, as in a
 * project that uses it.
 * @param declarations by name: what an example uses without saying what it is
 */
export function writeSnippets(readme: string, declarations: Readonly<Record<string, string>>): Snippets {
  const folder = mkdtempSync(resolve('dist', '.snippets-'));
  const texts = new Map<string, string>();
  const typed: string[] = [];
  for (const { language, label, text } of readExamples(readme)) {
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
