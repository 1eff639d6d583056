import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const commands = readFileSync('.ci/run', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

test('CI ends with npm test, so with the line that says how many tests have passed', () => {
  expect(commands.at(-1)).toBe('npm test');
});

test('CI, the image and the README have the same Node', () => {
  const image = /^FROM node:(\d+)-/m.exec(readFileSync('Dockerfile', 'utf8'))?.[1];
  expect(image).toBeDefined();
  expect(commands).toContainEqual(expect.stringContaining(`test:nodes -- --only ${image} `));
  expect(readFileSync('README.md', 'utf8')).toContain(`You need Node ${image} LTS (`);
});
