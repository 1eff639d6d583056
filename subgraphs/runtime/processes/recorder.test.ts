import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import type { ProcessDocument } from './model.ts';
import { createProcessRecorder, SEEN_EVERY_MS } from './recorder.ts';

const SELF: Omit<ProcessDocument, 'seenAt'> = {
  ...{ _id: 'proc_1', role: 'worker', version: '1.2.3', host: 'a', pid: 7 },
  startedAt: new Date('2026-11-23T08:00:00.000Z'),
  settings: [],
};

let saved: Date[];
let removed: string[];
let warnings: string[];
let unwritable: number;
let refused: OperatorError[];
let check: () => Promise<void>;
let save: () => Promise<void>;
let remove: () => Promise<void>;
beforeEach(() => {
  jest.useFakeTimers({ now: new Date('2026-11-23T08:00:00.000Z') });
  saved = [];
  removed = [];
  warnings = [];
  unwritable = 0;
  refused = [];
  check = async () => undefined;
  save = async () => undefined;
  remove = async () => undefined;
});
afterEach(() => {
  jest.useRealTimers();
});

const recorder = (random: number) =>
  createProcessRecorder({
    save: async ({ seenAt }) => {
      saved.push(seenAt);
      await save();
    },
    remove: async (id) => {
      removed.push(id);
      await remove();
    },
    check: () => check(),
    onRefused: (error) => void refused.push(error),
    self: SELF,
    log: { warn: (...[, event]: unknown[]) => void warnings.push(String(event)) },
    clock: () => new Date(),
    random: () => random,
    stopMs: 5,
    onUnwritable: () => {
      unwritable += 1;
    },
  });
/** Lets time go by second by second, and what has begun go on. */
const advance = async (ms: number) => {
  for (let passed = 0; passed <= ms; passed += 1_000) {
    jest.advanceTimersByTime(passed === 0 ? 0 : 1_000);
    for (let turn = 0; turn < 10; turn += 1) {
      await Promise.resolve();
    }
  }
};
const secondsOfSaves = () => saved.map((at) => (at.getTime() - SELF.startedAt.getTime()) / 1_000);

test.each([
  [0, [0, 27, 54]],
  [0.5, [0, 30, 60]],
  [1, [0, 33]],
])(
  'a process says at once and every 30 s that it runs, a tenth more or less (%d)',
  async (random, expected) => {
    const record = recorder(random);
    record.start();
    await advance(65_000);
    expect(secondsOfSaves()).toEqual(expected);
    await record.stop();
  },
);

test('a write that fails is logged, and made again with the next', async () => {
  save = async () => {
    throw new Error('away');
  };
  const record = recorder(0.5);
  record.start();
  await advance(SEEN_EVERY_MS);
  expect([saved.length, warnings]).toEqual([2, ['process.not_recorded', 'process.not_recorded']]);
  await record.stop();
});

test('a process that may not go on is reported once, after a record of it, and recorded no more', async () => {
  const record = recorder(0.5);
  record.start();
  await advance(1_000);
  check = async () => {
    throw new Error('away');
  };
  await advance(SEEN_EVERY_MS);
  expect([saved.length, warnings, refused]).toEqual([2, ['process.not_recorded'], []]);
  const error = new OperatorError('The event log has 128 partitions.');
  check = async () => {
    throw error;
  };
  await advance(4 * SEEN_EVERY_MS);
  expect([saved.length, refused]).toEqual([3, [error]]);
  await record.stop();
});

test('three failed writes in a row are logged once, and the proof fails until a write succeeds', async () => {
  save = async () => {
    throw new Error('No space left on device');
  };
  const record = recorder(0.5);
  record.start();
  await advance(4 * SEEN_EVERY_MS);
  expect(unwritable).toBe(1);
  await expect(record.prove()).rejects.toThrow('No space left');
  save = async () => undefined;
  await record.prove();
  const before = saved.length;
  await record.prove();
  expect(saved).toHaveLength(before);
  await record.stop();
  await record.prove();
  expect(saved).toHaveLength(before);
});

test('a stop ends it: the record goes after a write that is under way, and nothing is written later', async () => {
  let end = () => {};
  save = () =>
    new Promise<void>((resolve) => {
      end = resolve;
    });
  const record = recorder(0.5);
  record.start();
  const stopped = record.stop();
  expect(removed).toEqual([]);
  end();
  await stopped;
  expect(removed).toEqual(['proc_1']);
  await advance(10 * SEEN_EVERY_MS);
  expect(saved).toHaveLength(1);
});

test.each<[string, () => Promise<void>, readonly string[]]>([
  ['rejects', () => Promise.reject(new Error('away')), ['process.record_not_removed']],
  ['never answers', () => new Promise(() => {}), []],
])('a stop does not wait for a database that %s', async (_name, answer, expected) => {
  remove = answer;
  const record = recorder(0.5);
  record.start();
  await record.stop();
  expect([removed, warnings]).toEqual([['proc_1'], expected]);
});
