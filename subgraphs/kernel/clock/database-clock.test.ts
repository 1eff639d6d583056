import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createDatabaseClock, type DatabaseClock } from './database-clock.ts';

const START = Date.parse('2026-11-25T08:00:00.000Z');
const MINUTE = 60_000;

/** The time that really is, and by how much each clock differs from it, milliseconds. */
let passed: number;
let machineAhead: number;
let databaseAhead: number;
/** How long the database takes to answer, one way. */
let travels: number;
/** The same of the next answers, there (NaN: no answer) and back; and by how much the database's clock is ahead from then on. */
let ways: number[][];
let reads: number;
let logged: string[];
let clock: DatabaseClock;

beforeEach(() => {
  jest.useFakeTimers();
  [passed, machineAhead, databaseAhead, travels, ways, reads, logged] = [0, 0, 0, 0, [], 0, []];
  const note = (_fields: object, event?: string) => void logged.push(String(event));
  clock = createDatabaseClock({
    readTime: async () => {
      const [there = travels, back = travels, ahead = databaseAhead] = ways.shift() ?? [];
      reads += 1;
      if (Number.isNaN(there)) {
        throw new Error('no answer');
      }
      databaseAhead = ahead;
      passed += there;
      const read = new Date(START + passed + databaseAhead);
      passed += back;
      return read;
    },
    log: { info: note, warn: note, error: note },
    machine: { now: () => START + passed + machineAhead, uptime: () => passed },
  });
});
afterEach(() => {
  clock.stop();
  jest.useRealTimers();
});

const pass = async (ms: number) => {
  passed += ms;
  jest.advanceTimersByTime(ms);
  for (let turn = 0; turn < 10; turn += 1) {
    await Promise.resolve();
  }
};
const now = () => clock.now().getTime() - START - passed;

describe('the time', () => {
  test("is the database's, whatever the machine's clock says, also when that is set meanwhile", async () => {
    machineAhead = 10 * MINUTE;
    await clock.measure();
    expect([now(), clock.skewMs()]).toEqual([0, 10 * MINUTE]);
    machineAhead = -60 * MINUTE;
    passed += 5_000;
    expect([now(), clock.skewMs()]).toEqual([0, -60 * MINUTE]);
  });

  test("is the machine's before the first measurement", () => {
    machineAhead = MINUTE;
    expect([now(), clock.isRight()]).toEqual([MINUTE, true]);
  });

  test.each([
    [
      'until one is quick',
      [
        [80, 80],
        [1, 1],
        [90, 90],
      ],
      2,
    ],
    [
      'until all of them together are exact',
      [
        [20, 0],
        [0, 20],
        [90, 90],
      ],
      2,
    ],
    ['at most ten times', Array.from({ length: 11 }, () => [50, 50]), 10],
  ])('is read again while the answers are slow: %s', async (_title, answers, expected) => {
    ways = answers;
    await clock.measure();
    expect([reads, now()]).toEqual([expected, 0]);
    await clock.measure();
    expect(reads).toBe(expected + 1);
  });

  test('is as exact as the answers before one that failed', async () => {
    await clock.measure();
    databaseAhead = MINUTE;
    ways = [[100, 60], [Number.NaN]];
    await expect(clock.measure()).rejects.toThrow('no answer');
    expect([reads, now()]).toEqual([3, MINUTE + 20]);
  });

  test("is the newest when the database's clock is set between two reads", async () => {
    ways = [
      [60, 0],
      [1, 1, MINUTE],
    ];
    await clock.measure();
    expect([reads, now()]).toEqual([2, MINUTE]);
  });

  test('is within half of the time that the answer took, and is not moved by an answer that is less exact', async () => {
    travels = 3_000;
    await clock.measure();
    expect(now()).toBe(0);
    passed += 1_000;
    databaseAhead = 2_500;
    await clock.measure();
    expect(now()).toBe(0);
    travels = 1;
    await clock.measure();
    expect(now()).toBe(2_500);
  });
});

describe("the machine's clock", () => {
  test.each([
    [2_000, true, []],
    [-2_001, true, ['clock.skewed']],
    [30_000, true, ['clock.skewed']],
    [30_001, false, ['clock.wrong']],
    [-3_600_000, false, ['clock.wrong']],
  ])('%d ms ahead is right: %s', async (ahead, isRight, events) => {
    machineAhead = ahead;
    await clock.measure();
    expect([clock.isRight(), logged]).toEqual([isRight, events]);
  });

  test('is wrong as soon as it is set, measured within a second, and right again when it is set back', async () => {
    await clock.measure();
    clock.start();
    machineAhead = 60 * MINUTE;
    expect(clock.isRight()).toBe(false);
    await pass(1_000);
    expect([reads, logged]).toEqual([2, ['clock.wrong']]);
    machineAhead = 0;
    expect(clock.isRight()).toBe(true);
    await pass(1_000);
    expect([reads, logged]).toEqual([3, ['clock.wrong', 'clock.right_again']]);
  });

  test("is right again when the database's clock was set to the same time, as on one machine", async () => {
    await clock.measure();
    clock.start();
    machineAhead = databaseAhead = 60 * MINUTE;
    expect(clock.isRight()).toBe(false);
    await pass(1_000);
    expect([clock.isRight(), now()]).toEqual([true, 60 * MINUTE]);
  });
});
