import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { DOCUMENTED_CODES } from './typescript/error-codes.ts';
import { AMOUNTS } from './typescript/exact-amounts.ts';

const PYTHON = 'gateway/clients/python/remitgraph_client';

/** The texts between a beginning and the bracket that closes it. */
function listIn(file: string, beginning: string): string[] {
  const text = readFileSync(join(PYTHON, file), 'utf8');
  const from = text.indexOf(beginning);
  expect([file, from >= 0]).toEqual([file, true]);
  const list = text.slice(from, text.indexOf(beginning.endsWith('[') ? '\n]' : '\n    }', from));
  return [...list.matchAll(/^ +"(\w+)"/gm)].map(([, name = '']) => name);
}

test('Python has the amounts of TypeScript', () => {
  expect(listIn('exact_json.py', 'AMOUNTS = frozenset(')).toEqual([...AMOUNTS]);
});

test('Python has the codes of TypeScript', () => {
  const own = ['CONNECTION_LOST', 'UNEXPECTED_ANSWER'];
  expect(listIn('error_codes.py', 'ErrorCode = Literal[')).toEqual([...DOCUMENTED_CODES, ...own]);
});

test('the READMEs name the versions that the recipes install', () => {
  const readme = readFileSync('gateway/clients/README.md', 'utf8');
  const typescript = readFileSync('gateway/clients/typescript/README.md', 'utf8');
  const project = readFileSync('gateway/clients/python/pyproject.toml', 'utf8');
  const [, hey = ''] = /@hey-api\/openapi-ts@(\S+)/.exec(typescript) ?? [];
  const [, python = ''] = /"openapi-python-client==([^"]+)"/.exec(project) ?? [];
  expect(readme).toContain(`\`@hey-api/openapi-ts\` ${hey} |`);
  expect(readme).toContain(`\`openapi-python-client\` ${python} |`);
});
