import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { CATALOGUE } from '../../subgraphs/kernel/errors/catalogue.ts';

/** Codes that only GraphQL answers: their rows have statuses of other surfaces too. */
const OF_GRAPHQL = /^(?:WEBHOOK_|API_KEY_|APPROVAL_|BROWSER_TOKEN_|CONSOLE_SESSION_|BAD_USER_INPUT$)/;

/** The codes of the three documents, and the clients' own. */
const codes = Object.entries(CATALOGUE)
  .filter(
    ([code, { status }]) => Object.keys(status).some((one) => one !== 'graphql') && !OF_GRAPHQL.test(code),
  )
  .map(([code]) => code)
  .concat('CONNECTION_LOST', 'UNEXPECTED_ANSWER')
  .sort();

test.each([
  ['Go', 'gateway/clients/go/codes.go'],
  ['Java', 'gateway/clients/java/src/main/java/remitgraph/ErrorCode.java'],
])('the client in %s has the codes of the catalogue', (_language, path) => {
  const names = [...readFileSync(path, 'utf8').matchAll(/= "([A-Z_]+)"/g)].map(([, code]) => code);
  expect(names.toSorted()).toEqual(codes);
});
