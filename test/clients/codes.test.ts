import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { CATALOGUE, type ErrorRow } from '../../subgraphs/kernel/errors/catalogue.ts';

/** The codes that answers of the three documents may have. */
const codes = Object.entries(CATALOGUE)
  .filter(([, { status }]: readonly [string, ErrorRow]) =>
    [status.remittance, status.requestMoney, status.partner].some((one) => one !== undefined),
  )
  .map(([code]) => code)
  .sort();

test.each([
  ['Go', 'gateway/clients/go/codes.go'],
  ['Java', 'gateway/clients/java/src/main/java/remitgraph/ErrorCode.java'],
])('the client in %s has the codes of the catalogue', (_language, path) => {
  const names = [...readFileSync(path, 'utf8').matchAll(/= "([A-Z_]+)"/g)].map(([, code]) => code);
  expect(names.toSorted()).toEqual(codes);
});
