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

const CODES = [...DOCUMENTED_CODES, 'CONNECTION_LOST', 'UNEXPECTED_ANSWER'];

test('Python has the codes of TypeScript', () => {
  expect(listIn('error_codes.py', 'ErrorCode = Literal[')).toEqual(CODES);
});

test.each(['go/codes.go', 'java/src/main/java/remitgraph/ErrorCode.java'])(
  '%s has the codes of TypeScript',
  (file) => {
    const text = readFileSync(join('gateway/clients', file), 'utf8');
    const codes = [...text.matchAll(/= "([A-Z_]+)"/g)].map(([, code]) => code);
    expect(codes.toSorted()).toEqual(CODES.toSorted());
  },
);

test.each([
  ['@hey-api/openapi-ts', 'typescript/README.md', /@hey-api\/openapi-ts@(\S+)/],
  ['openapi-python-client', 'python/pyproject.toml', /"openapi-python-client==([^"]+)"/],
  ['oapi-codegen', 'go/partner/generate.go', /oapi-codegen@v(\S+)/],
  ['oapi-codegen', 'go/remittance/generate.go', /oapi-codegen@v(\S+)/],
  ['oapi-codegen', 'go/requestmoney/generate.go', /oapi-codegen@v(\S+)/],
  [
    'openapi-generator',
    'java/pom.xml',
    /<artifactId>openapi-generator-maven-plugin<\/artifactId>\s*<version>([^<]+)</,
  ],
])('the README names the version of %s that %s installs', (generator, file, version) => {
  const readme = readFileSync('gateway/clients/README.md', 'utf8');
  const [, installed] = version.exec(readFileSync(join('gateway/clients', file), 'utf8')) ?? [];
  expect(readme).toContain(`| \`${generator}\` ${installed} |`);
});
