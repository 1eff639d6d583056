import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { docsOf } from './paths.ts';

test('screens link to pages that the documentation has', () => {
  const pages: { pages: { name: string }[] }[] = JSON.parse(readFileSync('gateway/docs/pages.json', 'utf8'));
  const addresses = pages.flatMap((section) => section.pages.map(({ name }) => `/docs/${name}`));
  expect(addresses).toEqual(expect.arrayContaining(Object.values(docsOf)));
});
