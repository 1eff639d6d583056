/**
 * @own-process It has a page.
 * @only-in-full
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { build } from 'esbuild';
import { createElement, type FunctionComponent, StrictMode } from 'react';
import { readCommands } from '../../gateway/build/docs/shell.ts';
import { closePage, openRoot } from '../../gateway/client/testing/page.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import {
  createMoneyRequest,
  moneyRequestBody,
  newReference,
  queryGraph,
  updateStatus,
} from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { readExamples } from '../support/snippets.ts';
import { until } from '../support/until.ts';

// The page about TypeScript: its commands, its configuration and its component as they stand there, against the real server.

const EXAMPLES = readExamples('gateway/docs/typescript.md');
const textOf = (label: string) => String(EXAMPLES.find((example) => example.label === label)?.text);
const COMMANDS = EXAMPLES.flatMap(({ language, text: script }) =>
  language === 'sh' ? readCommands(script, {}) : [],
);
const COMPONENT = textOf('payments');

const TSCONFIG = {
  compilerOptions: {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: true },
    ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2022', jsx: 'react-jsx', noEmit: true },
    ...{ lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
  },
  include: ['src'],
};

const scene = useScene();
let url: string;
let exchange: Exchange;
/** A project with the files of the page. In dist/ it finds packages, and the product by its name. */
let project: string;

beforeAll(async () => {
  // A process of its own: a page in the server's process would be one of its globals.
  const deployment = await scene.deploy({ processes: true });
  url = (await deployment.start()).url;
  exchange = exchangeWith(url);
  project = mkdtempSync(resolve('dist', '.snippets-'));
  mkdirSync(join(project, 'src'));
  const write = (file: string, content: string) => writeFileSync(join(project, file), content);
  write('codegen.ts', textOf('codegen').replace('http://localhost:4000', url));
  write('src/payments.tsx', COMPONENT.replace('http://localhost:4000', url));
  write('tsconfig.json', JSON.stringify(TSCONFIG));
});
afterAll(() => rmSync(project, { recursive: true }));

/** Runs a program in the project. @returns its exit code, and what it printed */
async function run(program: string, ...args: string[]): Promise<[number | null, string]> {
  const child = spawn(program, args, { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, 'close');
  return [code, (await printed).join('')];
}

test('installs the versions of the packages that it is tested with', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const [install = []] = COMMANDS.filter(([program]) => program === 'npm');
  expect(install.slice(0, 3)).toEqual(['npm', 'install', '--save-dev']);
  const names = install.slice(3).map((word) => word.slice(0, word.lastIndexOf('@')));
  expect(names).toContain('@graphql-codegen/cli');
  expect(install.slice(3)).toEqual(names.map((name) => `${name}@${devDependencies[name]}`));
});

test('shows a component of at most 40 lines, without any', () => {
  expect(COMPONENT.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  expect(COMPONENT).not.toMatch(/\bany\b|\bas\b|@ts-/);
});

test('generates types from the schema of the server, with which the component compiles', async () => {
  const [generate = []] = COMMANDS.filter(([program]) => program === 'npx');
  const [program = '', ...args] = generate;
  const [code, printed] = await run(program, ...args);
  expect({ code, printed }).toEqual({ code: 0, printed: expect.any(String) });
  expect(readFileSync(join(project, 'src/gql/graphql.ts'), 'utf8')).toMatch(
    /PaymentsQuery = .*status: RequestMoneyStatus, amount: \{ __typename\?: 'Money', amount: Decimal,/,
  );
  const tsc = resolve('node_modules/typescript/bin/tsc');
  expect(await run(process.execPath, tsc, '-p', project)).toEqual([0, '']);
  // The types reach the rows.
  writeFileSync(join(project, 'src/wrong.tsx'), COMPONENT.replace('row.nodeId', 'row.amount'));
  const [, problems] = await run(process.execPath, tsc, '-p', project);
  expect(problems).toMatch(/^src\/wrong\.tsx\(.*\): error TS2322: .* is not assignable to type 'string'/);
});

async function create(): Promise<string> {
  const referenceId = newReference();
  expect((await createMoneyRequest(exchange, moneyRequestBody(referenceId))).status).toBe(201);
  return referenceId;
}

/** The part of the partner's server that the component calls. */
async function createToken(): Promise<Response> {
  const mutation = 'mutation { createBrowserToken(input: { expiresInMinutes: 5 }) { token } }';
  const { data } = await queryGraph<{ createBrowserToken: { token: string } }>(exchange, mutation);
  const { token = '' } = data?.createBrowserToken ?? {};
  expect(token).toMatch(/^raas_browser_/);
  return new Response(token);
}

test('shows a list of payments, and each change of it', async () => {
  const file = join(project, 'payments.mjs');
  await build({
    entryPoints: [join(project, 'src/payments.tsx')],
    outfile: file,
    bundle: true,
    packages: 'external',
    format: 'esm',
    jsx: 'automatic',
    logLevel: 'warning',
  });
  const { fetch: fetchOfPlatform } = globalThis;
  const fetchOfPage = jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation((target, init) =>
      target === '/live-token' ? createToken() : fetchOfPlatform(target, init),
    );
  const { root, element } = openRoot();
  const shows = (pattern: RegExp) => until(`a page with ${pattern}`, () => pattern.test(element.innerHTML));
  try {
    const { Payments }: { readonly Payments: FunctionComponent<{ first: number }> } = await import(
      pathToFileURL(file).href
    );
    const [first, second] = [await create(), await create()];
    root.render(createElement(StrictMode, null, createElement(Payments, { first: 10 })));
    await shows(
      new RegExp(
        `^<ul aria-busy="false"><li>${second}: 1500\\.5\\d* MXN PENDING</li><li>${first}: 1500\\.5\\d* MXN PENDING</li>`,
      ),
    );
    const third = await create();
    await shows(new RegExp(`^<ul aria-busy="false"><li>${third}: `));
    await updateStatus(exchange, { referenceId: first, status: 'processing' });
    await shows(new RegExp(`<li>${third}: .*<li>${second}: .* PENDING</li><li>${first}: .* PROCESSING</li>`));
    root.unmount();
    expect(element.innerHTML).toBe('');
  } finally {
    await closePage();
    fetchOfPage.mockRestore();
  }
});
