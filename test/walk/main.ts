import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KNOWN, type Known } from './known.ts';
import { run } from './shell.ts';
import { Walker, withoutComment } from './walker.ts';

const DOCS = 'gateway/docs';
const COMMANDS = ['start', 'demo', 'gateway', 'admin', 'listen', 'watch', 'mcp', 'doctor', 'verify', 'certs'];
/** Of the README's example of the package: what runs where it is installed. */
const INSTALL = /^npm install .*$/m;

const say = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * `npm run walk`: does what a stranger does. A clone of the last commit, `npm ci`, and every command that README.md,
 * gateway/cli/README.md and the quickstarts print, in their order, on an empty database for each; then the package in an empty folder. An
 * answer that is printed is compared with the one that came. It ends with a verdict; the exit code is 0 when everything did what
 * its text says.
 */
async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-walk-'));
  const problems: string[] = [];
  try {
    const clone = join(folder, 'clone');
    await must(`git clone --quiet "${process.cwd()}" "${clone}"`, folder);
    say(`A clone of ${(await must('git log -1 --format="%h %s"', clone)).trim()}. Node ${process.version}.`);
    await must('npm ci --silent', clone);
    say('npm ci: done');
    const used = new Set(await walkDocuments(clone, problems));
    problems.push(...(await walkPackage(clone, folder, used)));
    problems.push(...unusedOf(clone, used));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  say('');
  for (const problem of problems) {
    say(problem);
  }
  say(problems.length === 0 ? 'Everything does what it says.' : `${problems.length} problems.`);
  return problems.length === 0 ? 0 : 1;
}

/** The walk's entries for commands that no document has any more. */
function unusedOf(clone: string, used: ReadonlySet<Known>): string[] {
  const hasQuickstarts = quickstartsOf(clone).length > 0;
  return KNOWN.filter((known) => !used.has(known) && (hasQuickstarts || !known.isOfQuickstarts)).map(
    ({ command }) => `No command fits ${command}`,
  );
}

function quickstartsOf(clone: string): string[] {
  return readdirSync(join(clone, DOCS))
    .filter((name) => /^quickstart-.*\.md$/.test(name))
    .map((name) => join(DOCS, name));
}

async function walkDocuments(clone: string, problems: string[]) {
  const documents = ['README.md', 'gateway/cli/README.md', ...quickstartsOf(clone)];
  const used = [];
  for (const document of documents) {
    const walker = new Walker({ folder: clone, env: cleanEnv() }, say);
    await walker.walk(document).catch((error: unknown) => problems.push(`${document}: ${String(error)}`));
    problems.push(...walker.problems.map((problem) => `${document}: ${problem}`));
    used.push(...walker.used);
  }
  return used;
}

/** The package that `npm pack` has left in the clone, in a folder that has nothing else. */
async function walkPackage(clone: string, folder: string, used: Set<Known>): Promise<string[]> {
  const tarball = readdirSync(clone).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) {
    return ['npm pack has left no package'];
  }
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  copyFileSync(join(clone, tarball), join(empty, tarball));
  const [install = ''] = INSTALL.exec(readFileSync(join(clone, 'gateway/cli/README.md'), 'utf8')) ?? [];
  const walker = new Walker({ folder: empty, env: cleanEnv() }, say);
  await walker.walkCommands('the package', [
    ...withoutComment(install).split(' && '),
    ...COMMANDS.map((command) => `npx remitgraph ${command} --help`),
  ]);
  for (const known of walker.used) {
    used.add(known);
  }
  return walker.problems.map((problem) => `the package: ${problem}`);
}

/** Without the variables that npm sets for its scripts: a stranger's shell has none of them. */
function cleanEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_|^INIT_CWD$|^NODE_OPTIONS$/.test(name)),
  );
}

/** @throws with what it printed when the command fails */
async function must(command: string, cwd: string): Promise<string> {
  const { code, output } = await run(command, cwd, cleanEnv());
  if (code !== 0) {
    throw new Error(`${command} ended with ${code}:\n${output}`);
  }
  return output;
}

process.exitCode = await main();
