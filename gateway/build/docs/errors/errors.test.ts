import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { CATALOGUE } from '../../../../subgraphs/kernel/errors/catalogue.ts';
import { projectRoot } from '../../../../subgraphs/kernel/project-root.ts';
import { GRAPHQL_WORDS } from './graphql-words.ts';
import { CLIENT_WORDS, WEBHOOK_WORDS } from './live-words.ts';
import { ERRORS_PAGE, errorsPage } from './page.ts';

const page = readFileSync(join(projectRoot(), ERRORS_PAGE), 'utf8');
const FOLDERS = [
  'gateway/app',
  'gateway/client',
  'gateway/engine',
  'gateway/http',
  'rest-compat',
  'subgraphs',
];

/** The error codes in a source: literals at the positions where codes occur. */
const MADE_HERE = [
  /\bcode: '([A-Z][A-Z_]{3,})'/g,
  /\b(?:failRequest|failRequestWith|fail|graphqlError|LiveError|TransportError|WebhookVerificationError)\(\s*'([A-Z][A-Z_]{3,})'/g,
  /\basLiveError\([^,]+, '([A-Z][A-Z_]{3,})'/g,
];

/** Codes between parts of the product, which clients never get, and warnings, which are not errors. */
const NOT_ERRORS_OF_CLIENTS = ['CLIENT_CLOSED_REQUEST', 'ROUTE_NOT_OFFERABLE'];

function sources(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(projectRoot(), folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)testing[^/]*(?:\/|\.ts$)/.test(name))
      .map((name) => readFileSync(join(projectRoot(), folder, name), 'utf8')),
  );
}

test('every error code of the source has an entry, and every entry has an error code', () => {
  const texts = sources();
  const made = new Set(
    texts.flatMap((text) =>
      MADE_HERE.flatMap((pattern) => [...text.matchAll(pattern)].map(([, code = '']) => code)),
    ),
  );
  expect(made.size).toBeGreaterThan(90);
  const words = [CATALOGUE, GRAPHQL_WORDS, CLIENT_WORDS, WEBHOOK_WORDS].flatMap((one) => Object.keys(one));
  const documented = new Set(words);
  expect([...made].filter((code) => !documented.has(code)).sort()).toEqual(NOT_ERRORS_OF_CLIENTS);
  const all = texts.join('\n');
  expect([...documented].filter((code) => !all.includes(`'${code}'`) && !all.includes(`${code}: {`))).toEqual(
    [],
  );
  expect(documented.size).toBe(words.length);
});

test('the page has one entry for each code, with its cause, fix and example', () => {
  const entries = page.split(/^### /m).slice(1);
  const codes = entries.map((entry) => entry.split('\n')[0]);
  expect(codes.sort()).toEqual([...Object.keys(CATALOGUE), ...Object.keys(GRAPHQL_WORDS)].sort());
  for (const entry of entries) {
    expect(entry).toMatch(/^\S+\n\nWhere: .+\. \S.+\n\n\*\*What to do:\*\* \S.+\n\n```json\n\{.+\}\n```\n/);
  }
  for (const code of [...Object.keys(CLIENT_WORDS), ...Object.keys(WEBHOOK_WORDS)]) {
    expect(page.split(`| \`${code}\` | `)).toHaveLength(2);
  }
  expect(errorsPage()).toBe(page);
});
