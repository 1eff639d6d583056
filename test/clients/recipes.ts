import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { execute } from '../support/execute.ts';
import { hasGo, hasMaven } from '../support/registries.ts';
import { readExamples } from '../support/snippets.ts';
import { type ClientProgram, startProgram } from './client-program.ts';

/** A client that is generated and compiled by the recipe of its README. */
export interface Recipe {
  readonly language: 'go' | 'java';
  /** The programs and the registry that it needs. */
  readonly tools: string;
  /** Whether they are there. */
  readonly hasTools: () => boolean;
  /** Runs the unit tests of the layer, and compiles the program of `test/clients` and the example of the README. */
  prepare(made: MadeClient): Promise<void>;
  /** The command that starts a program, which gets the address of the server as an argument. */
  commandOf(made: MadeClient, program: 'contract' | 'example'): readonly [string, ...string[]];
}

/** A made client: its folder, and the server whose documents it was made from. */
export interface MadeClient {
  readonly folder: string;
  readonly url: string;
}

const GO: Recipe = {
  language: 'go',
  tools: 'Go with its registry',
  hasTools: hasGo,
  prepare: async (made) => {
    put(join(made.folder, 'contract', 'main.go'), readFileSync('test/clients/go/main.go', 'utf8'));
    put(join(made.folder, 'example', 'main.go'), exampleOf('go', 'go'));
    await execute('go', ['vet', './...'], made.folder);
    await execute('go', ['test', '-count=1', '.'], made.folder);
    await execute('go', ['build', '-o', 'built/', './contract', './example'], made.folder);
  },
  commandOf: ({ folder, url }, program) => [join(folder, 'built', program), url],
};

const CLASSES = { contract: 'remitgraph.contract.ContractProgram', example: 'Example' };

const JAVA: Recipe = {
  language: 'java',
  tools: 'Maven with its registry',
  hasTools: hasMaven,
  prepare: async (made) => {
    const tests = join(made.folder, 'src', 'test', 'java');
    const program = readFileSync('test/clients/java/ContractProgram.java', 'utf8');
    put(join(tests, 'remitgraph', 'contract', 'ContractProgram.java'), program);
    put(join(tests, 'Example.java'), exampleOf('java', 'java'));
    const classpath = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath';
    const options = [`-Dremitgraph.url=${made.url}`, '-Dmdep.outputFile=classpath'];
    await execute('mvn', ['-q', '-B', 'test', classpath, ...options], made.folder);
  },
  commandOf: ({ folder, url }, program) => {
    const packages = readFileSync(join(folder, 'classpath'), 'utf8').trim();
    const classes = ['test-classes', 'classes'].map((one) => join(folder, 'target', one));
    return ['java', '-cp', [...classes, packages].join(':'), CLASSES[program], url];
  },
};

export const RECIPES: readonly Recipe[] = [GO, JAVA];

/** Makes a client in a folder as its README says, runs its tests and compiles its programs. @throws with their output */
export async function makeClient(recipe: Recipe, parent: string, url: string): Promise<MadeClient> {
  const env = { ...process.env, REMITGRAPH: resolve('.'), REMITGRAPH_URL: url };
  await execute('sh', ['-ec', exampleOf(recipe.language, 'sh')], parent, env);
  const made = { folder: join(parent, 'remitgraph'), url };
  await recipe.prepare(made);
  return made;
}

/** Starts the program of `test/clients`. */
export function startContractProgram(recipe: Recipe, made: MadeClient): ClientProgram {
  const [command, ...args] = recipe.commandOf(made, 'contract');
  return startProgram(command, args);
}

/** The output of the example of the README. */
export function runExample(recipe: Recipe, made: MadeClient, key: string): Promise<string> {
  const [command, ...args] = recipe.commandOf(made, 'example');
  return execute(command, args, made.folder, { ...process.env, REMITGRAPH_URL: made.url, KEY: key });
}

/** The first example in a language in the README of a client. */
function exampleOf(client: Recipe['language'], language: string): string {
  const readme = join('gateway', 'clients', client, 'README.md');
  return readExamples(readme).find((one) => one.language === language)?.text ?? '';
}

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
