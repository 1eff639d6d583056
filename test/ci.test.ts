import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

test('CI ends with npm test, so with the line that says how many tests have passed', () => {
  const commands = readFileSync('.ci/run', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(commands.at(-1)).toBe('npm test');
});
