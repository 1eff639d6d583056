import { expect, test } from '@jest/globals';
import { describeLimit } from './limit.ts';

const role = (name: string, processors: number, processes = 1) => ({ role: name, processors, processes });

test.each([
  [
    'a machine that is used up is the limit, whichever process is full on it',
    [role('gateway', 0.9), role('store', 0.9), role('workers', 0.05)],
    'the machine; of 1.9 processors gateway 49 %, store 49 %',
  ],
  [
    'else a process that is full is',
    [role('gateway', 0.9), role('store', 0.3)],
    'gateway; of 1.2 processors gateway 75 %, store 25 %',
  ],
  [
    'two half full ones are not',
    [role('gateways', 0.9, 2), role('store', 0.1)],
    'waiting; of 1.0 processors gateways 90 %, store 10 %',
  ],
  [
    'where nobody is, calls wait',
    [role('all in one', 0.4), role('store', 0.6)],
    'waiting; of 1.0 processors store 60 %, all in one 40 %',
  ],
])('%s', (_title, busy, reported) => {
  expect(describeLimit(busy, 2)).toBe(reported);
});
