import { readFileSync } from 'node:fs';
import * as subgraph from '@apollo/subgraph';
import { expect, test } from '@jest/globals';
import * as composition from '@theguild/federation-composition';
import * as graphql from 'graphql';
import * as engine from './index.ts';

const MODULES: Readonly<Record<string, object>> = {
  '@apollo/subgraph': subgraph,
  '@theguild/federation-composition': composition,
  graphql,
  'remitgraph/engine': engine,
};

/** The README's example as the body of an async function: each import takes from the modules that the function gets. */
function exampleBody(): string {
  const readme = readFileSync('gateway/engine/README.md', 'utf8');
  const [example] = /(?<=```js\n)[^`]*/.exec(readme) ?? [''];
  return example.replace(/^import (\{.*\}) from ('.*');$/gm, 'const $1 = modules[$2];');
}

test("the README's example returns the documented answer", async () => {
  const body = exampleBody();
  const said = /console\.log\(.*\); \/\/ (.*)$/m.exec(body)?.[1];
  const printed: unknown[] = [];
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  await new AsyncFunction('modules', 'console', body)(MODULES, {
    log: (text: unknown) => printed.push(text),
    error: (error: unknown) => {
      throw error;
    },
  });
  expect(printed).toEqual([said]);
  expect(said).toContain('Ada');
});
