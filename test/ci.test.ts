import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

test('CI ends with the whole form of npm test, so with the line that says how many tests have passed', () => {
  const commands = readFileSync('.ci/run', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(commands.at(-1)).toBe('npm run --silent test:full');
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(scripts['test:full']).toBe(`TEST_DEPTH=full ${scripts.test}`);
});

test('CI runs commands of the READMEs', () => {
  const texts = ['README.md', 'CONTRIBUTING.md'].map((path) => readFileSync(path, 'utf8')).join('\n');
  const commands = readFileSync('.ci/run', 'utf8').match(/^npm .*$/gm) ?? [];
  expect(commands.length).toBeGreaterThan(2);
  const isDocumented = (command: string) => texts.includes(`\n${command.replace(' --silent', '')} `);
  expect(commands.filter((command) => command !== 'npm ci' && !isDocumented(command))).toEqual([]);
});
