/** @starts-processes The bundler is one. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import { makeConsole } from './make.ts';

const files = await makeConsole(projectRoot());

const textOf = (end: string) =>
  [...files].filter(([name]) => name.endsWith(end)).map(([, content]) => String(content));

const page = String(files.get('index.html'));
/** The files that the page loads at once. */
const loaded = [...page.matchAll(/(?:href|src)="\{\{root\}\}([^"]+)"/g)].map(([, path]) => String(path));

test('the first page loads at most 90 kB, compressed', () => {
  const contents = ['index.html', ...loaded].map((name) => files.get(name) ?? '');
  const sizes = contents.map((content) => gzipSync(content, { level: 9 }).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(20_000);
  expect(total).toBeLessThan(90_000);
});

test('charts load at most 30 kB more, compressed, and only when there is one', () => {
  const drawing = [...files].filter(
    ([name, content]) => name.endsWith('.js') && String(content).includes('u-over'),
  );
  expect(drawing).toHaveLength(1);
  const [[name, content] = ['', Buffer.of()]] = drawing;
  expect(loaded).not.toContain(name);
  const size = gzipSync(content, { level: 9 }).length;
  expect(size).toBeGreaterThan(10_000);
  expect(size).toBeLessThan(30_000);
});

test('the page loads each part that its script needs, and no screen of the platform’s operators', () => {
  const [main = ''] = loaded.filter((path) => path.startsWith('assets/main-'));
  const imported = [...String(files.get(main)).matchAll(/from"\.\/([\w-]+\.js)"/g)].map(
    ([, name]) => `assets/${name}`,
  );
  expect(imported.filter((path) => !loaded.includes(path))).toEqual([]);
  const scripts = [...files.keys()].filter((name) => name.endsWith('.js'));
  const later = scripts.filter((name) => !loaded.includes(name));
  const has = (name: string) => String(files.get(name)).includes('breakerHalfOpen');
  expect([scripts.filter(has), later.filter(has)]).toEqual([later.filter(has), [expect.any(String)]]);
});

test('the page has no inline script or style, and loads only existing files, named by their content', () => {
  expect(page).not.toMatch(/<script(?! type="module" src="\{\{root\}\}assets\/)|<style|style=| on\w+=/);
  expect(loaded.length).toBeGreaterThanOrEqual(2);
  for (const path of loaded) {
    expect(path).toMatch(/^assets\/\w+-[A-Z0-9]{8}\.(?:js|css)$/);
    expect(files.has(String(path))).toBe(true);
  }
});

test('scripts contain no other host, and do not evaluate text', () => {
  for (const script of textOf('.js')) {
    expect(script).not.toMatch(/\beval\(|new Function\(/);
    const hosts = [...script.matchAll(/https?:\/\/[\w.-]+/g)].map(([host]) => host);
    // Names of XML namespaces, the address in a message of preact-iso, and its base for relative addresses.
    const texts = ['http://www.w3.org', 'https://github.com', 'http://localhost'];
    expect(hosts.filter((host) => !texts.includes(host))).toEqual([]);
  }
});

test('scripts have the hash of each document, by which the server finds it', () => {
  const folder = 'gateway/console/documents';
  const names = readdirSync(folder).filter((name) => name.endsWith('.graphql'));
  expect(names.length).toBeGreaterThan(30);
  const scripts = textOf('.js').join('\n');
  for (const name of names) {
    expect(scripts).toContain(
      createHash('sha256')
        .update(readFileSync(`${folder}/${name}`))
        .digest('hex'),
    );
  }
});
