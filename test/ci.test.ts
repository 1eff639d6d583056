import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const commands = readFileSync('.ci/run', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

test('CI ends with the whole form of npm test, so with the line that says how many tests have passed', () => {
  expect(commands.at(-1)).toBe('npm run --silent test:full');
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(scripts['test:full']).toBe(`TEST_DEPTH=full ${scripts.test}`);
});

test('CI runs commands of the READMEs', () => {
  const texts = ['README.md', 'CONTRIBUTING.md'].map((path) => readFileSync(path, 'utf8')).join('\n');
  const ofNpm = commands.filter((command) => command.startsWith('npm '));
  expect(ofNpm.length).toBeGreaterThan(2);
  const isDocumented = (command: string) => texts.includes(`\n${command.replace(' --silent', '')} `);
  expect(ofNpm.filter((command) => command !== 'npm ci' && !isDocumented(command))).toEqual([]);
});

test('CI, the image and the README have the same Node', () => {
  const image = /^ARG NODE_IMAGE=node:(\d+)-/m.exec(readFileSync('Dockerfile', 'utf8'))?.[1];
  expect(image).toBeDefined();
  expect(commands).toContainEqual(expect.stringContaining(`test:nodes -- --only ${image} `));
  expect(readFileSync('README.md', 'utf8')).toContain(`You need Node ${image} LTS (`);
});
