import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { NEXT_STEPS } from './paths.ts';

test('screens link to pages that the documentation has', () => {
  const pages: { pages: { name: string }[] }[] = JSON.parse(readFileSync('gateway/docs/pages.json', 'utf8'));
  const addresses = pages.flatMap((section) => section.pages.map(({ name }) => `/docs/${name}`));
  const linked = Object.values(NEXT_STEPS).filter((address) => address.startsWith('/docs/'));
  expect(linked.length).toBeGreaterThan(0);
  expect(addresses).toEqual(expect.arrayContaining(linked));
});
