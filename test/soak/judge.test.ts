import { expect, test } from '@jest/globals';
import { judge } from './run.ts';

const log = ['1', '2', '3'].map((version) => ({
  text: `a version ${version}`,
  operationId: 'a',
  userId: version === '2' ? 'u2' : 'u1',
}));
const clientWith = (...versions: number[]) => ({
  name: 'client',
  filter: {},
  texts: versions.map((version) => `a version ${version}`),
});

test('a client that has what the log has is right', () => {
  expect(judge(clientWith(1, 2, 3), log)).toEqual([]);
  expect(judge({ ...clientWith(1, 3), filter: { userId: 'u1' } }, log)).toEqual([]);
  expect(judge({ ...clientWith(), filter: { operationId: 'b' } }, log)).toEqual([]);
});

test.each<[string, number[], string]>([
  ['has a gap', [1, 3], 'client has a version 3 at 1, the log a version 2'],
  ['has one twice', [1, 1, 2, 3], 'client has a version 1 at 1, the log a version 2'],
  ['has another order', [2, 1, 3], 'client has a version 2 at 0, the log a version 1'],
  ['lacks the end', [1, 2], 'client has nothing at 2, the log a version 3'],
  ['has one more', [1, 2, 3, 3], 'client has a version 3 at 3, the log nothing'],
])('a client that %s is reported', (_name, versions, problem) => {
  expect(judge(clientWith(...versions), log)).toEqual([problem]);
});
