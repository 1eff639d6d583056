import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { EXCEPTIONS, RULES, type Rule, UNREAD } from './banned-words.ts';

const FOLDERS = ['deploy', 'gateway', 'rest-compat', 'schema', 'subgraphs', 'test'];
const READ =
  /(?:\.(?:tsx?|mjs|cjs|js|css|html|graphql|http|md|json|ya?ml|grit|bru)|Dockerfile|\.env\.example)$/;

/** Paths of sources, texts and settings. */
function ownFiles(): string[] {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const unread = new Set(UNREAD.map(({ path }) => path));
  return [...readdirSync('.'), ...below].filter((path) => READ.test(path) && !unread.has(path));
}

/** Replaces what the exceptions allow by as many spaces, so that lines keep their numbers. */
function withoutExceptions(content: string): string {
  return EXCEPTIONS.reduce((left, { text }) => left.replaceAll(text, ' '), content);
}

/** @returns one line for each banned word in the text: word, place, and the text to write instead */
function findBanned(path: string, content: string, rules: readonly Rule[] = RULES): string[] {
  const own = rules.filter(({ files }) => files?.test(path) ?? true);
  const read = withoutExceptions(content);
  return own.flatMap(({ banned, pattern, instead }) =>
    [...read.matchAll(new RegExp(pattern.source, 'gm'))].map(({ 0: found, index }) => {
      const line = read.slice(0, index + found.length).split('\n').length;
      return `${path}:${line}: ${banned} (${JSON.stringify(found.trim())}). Write instead: ${instead}`;
    }),
  );
}

test('no file has a banned word', () => {
  const files = ownFiles();
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.flatMap((path) => findBanned(path, readFileSync(path, 'utf8')))).toEqual([]);
});

describe('a banned word', () => {
  test.each([
    ['in a sentence', 'The server told nobody.', 'told'],
    ['at the start of a sentence', 'Tells nobody.', 'tells'],
    ['as an identifier', 'const told = 1;', 'told'],
    ['as a part of an identifier', 'onHeard(isTold, LAST_TOLD)', 'told'],
    ['as the first part of an identifier', 'tellLinks()', 'tell'],
  ])('%s is found, with its place and a better word', (_where, content, banned) => {
    const found = findBanned('x.ts', `\n${content}`);
    expect(found.join('\n')).toMatch(new RegExp(`^x\\.ts:2: .*\\("${banned}"\\)`, 'im'));
    expect(found.join('\n')).toContain('Write instead: ');
  });

  test.each([
    ['a longer word', 'recommended, intellect, heartbeat, streamEnd, HEARTBEAT_MS'],
    ['a question', "test('x', () => {}); // What if it fails?"],
    ['an exception', "'MEND_ENDPOINT_AND_REPLAY'"],
    ['a relative clause about a person', 'A user who has no phone number.'],
  ])('%s is none', (_what, content) => {
    expect(findBanned('x.ts', content)).toEqual([]);
  });
});

describe('a form that is banned', () => {
  test.each([
    ['a docstring', '/** What a feed is opened with. */'],
    ['a docstring of more lines', ' * Who makes a link. Without a key, nobody.'],
    ['a description', '"""What is known of it."""'],
    ['a second sentence', '// It is read. What is left stays.'],
    ['a value', '/** Reads. @returns what it exports */'],
    ['a title', "test('what is paused is not sent', () => {});"],
    ['a preposition', '// Made for who asks.'],
    ['a program', '// A process who ends.'],
    ['a phrase over two lines', '/**\n * Made only for\n * who reads it.\n */'],
  ])('in %s is found', (_where, content) => {
    expect(findBanned('x.ts', content)).not.toEqual([]);
  });

  test('in the name of a log event is found in the product, not in its tests', () => {
    const line = "    log.warn({ err: error }, 'rest.request failed');";
    expect(findBanned('rest-compat/x.ts', line)).toHaveLength(1);
    expect(findBanned('rest-compat/x.ts', line.replace(' failed', '_failed'))).toEqual([]);
    expect(findBanned('rest-compat/x.test.ts', line)).toEqual([]);
  });
});
