import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execute } from '../execute.ts';
import { readExamples } from '../snippets.ts';

/** A folder for generated clients. */
export interface GeneratedClients {
  readonly folder: string;
  remove(): void;
}

/** The recipes of the languages, as partners read them. */
export const TYPESCRIPT_README = 'gateway/clients/typescript/README.md';
export const PYTHON_README = 'gateway/clients/python/README.md';

/** An example of a page. @throws if there is none */
export function exampleOf(page: string, label: string): string {
  const example = readExamples(page).find((one) => one.label === label);
  if (example === undefined) {
    throw new Error(`${page} has no example ${label}`);
  }
  return example.text;
}

/** Commands of a page that a shell runs, with the address of a server in the place of the printed one. */
export const commandsFor = (url: string, commands: string) =>
  commands.replaceAll('http://localhost:4000', url);

/**
 * Runs commands in a shell, which ends at the first that fails.
 * @returns the output @throws if a command fails, with the output
 */
export const runShell = (commands: string, cwd: string, env: Readonly<Record<string, string>> = {}) =>
  execute('sh', ['-ec', commands], cwd, { ...process.env, ...env });

/** Runs the recipe of TypeScript in a project below `dist/`, where `remitgraph` is found by its name. */
export async function generateTypeScript(url: string): Promise<GeneratedClients> {
  const folder = mkdtempSync(resolve('dist', '.rest-client-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'openapi-ts.config.mjs'), exampleOf(TYPESCRIPT_README, 'config'));
  await runShell(exampleOf(TYPESCRIPT_README, 'generate'), folder, { REMITGRAPH_URL: url });
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** Makes a folder that only has a clone, where the recipes of Python begin. */
export function folderWithClone(): GeneratedClients {
  const folder = mkdtempSync(join(tmpdir(), 'rest-client-'));
  symlinkSync(resolve('.'), join(folder, 'remitgraph'));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** Runs the recipe of Python. @returns the folder, with `.venv` and `remitgraph_api` */
export async function generatePython(url: string): Promise<GeneratedClients> {
  const made = folderWithClone();
  await runShell(commandsFor(url, exampleOf(PYTHON_README, 'generate')), made.folder);
  return made;
}

/** Whether this machine has a Python that the recipe takes. */
export async function hasPython(): Promise<boolean> {
  try {
    await runShell('python3 -c "import sys, venv; sys.exit(sys.version_info < (3, 11))"', '.');
    return true;
  } catch {
    return false;
  }
}
