import { describe, expect, test } from '@jest/globals';
import { EVENT_LOG, type EventLogDocument } from './model.ts';
import { partitionOf, partitionsOf } from './partitions.ts';
import { takeShare } from './shares.ts';

const NOW = new Date('2026-11-26T08:00:00.000Z');
const at = (ms: number) => new Date(NOW.getTime() + ms);

const empty = (partitions: number): EventLogDocument => ({
  _id: EVENT_LOG,
  partitions,
  startsAfter: 0,
  numberedBefore: 0,
  revision: 1,
  processes: [],
  holders: partitionsOf(partitions).map(() => null),
});

/** How many partitions each process has. */
function counts({ holders }: EventLogDocument): Record<string, number> {
  const count: Record<string, number> = {};
  for (const holder of holders) {
    const token = holder?.token ?? 'nobody';
    count[token] = (count[token] ?? 0) + 1;
  }
  return count;
}

/** Rounds of heartbeats of these processes, one second apart. */
function beat(from: EventLogDocument, tokens: readonly string[], rounds: number, startMs = 0) {
  let log = from;
  for (let round = 0; round < rounds; round += 1) {
    for (const token of tokens) {
      const before = log;
      log = takeShare(log, token, at(startMs + round * 1_000));
      // No step takes a partition from a living holder.
      for (const [partition, holder] of before.holders.entries()) {
        const next = log.holders[partition];
        if (holder !== null && holder.token !== token && tokens.includes(holder.token)) {
          expect(next).toBe(holder);
        }
      }
    }
  }
  return log;
}

describe('the division of partitions', () => {
  test('gives a single process all of them in its first heartbeat', () => {
    expect(counts(takeShare(empty(64), 'a', NOW))).toEqual({ a: 64 });
  });

  test.each([1, 2, 3, 5, 7, 64, 65, 100])(
    'gives each of %i processes an equal share within three heartbeats',
    (count) => {
      const tokens = Array.from({ length: count }, (_, index) => `p${index}`);
      const division = counts(beat(beat(empty(64), ['p0'], 1), tokens, 3));
      expect(division.nobody).toBeUndefined();
      const most = Math.ceil(64 / count);
      expect(Math.max(...Object.values(division))).toBeLessThanOrEqual(most);
      expect(Object.values(division).reduce((sum, one) => sum + one, 0)).toBe(64);
    },
  );

  test('changes nothing while nothing changes, but for the lease', () => {
    const log = beat(empty(64), ['a', 'b'], 3);
    expect(takeShare(log, 'a', at(2_100))).toBe(log);
    const renewed = takeShare(log, 'a', at(4_000));
    expect(renewed.holders).toEqual(log.holders);
    expect(renewed.processes).toContainEqual({ token: 'a', until: at(9_000) });
  });

  test('leaves the partitions of a killed process to it until its lease ends, and then gives them to the others', () => {
    const log = beat(beat(empty(64), ['a', 'b', 'c'], 3), ['a', 'b'], 2, 3_000);
    const until = log.processes.find(({ token }) => token === 'c')?.until.getTime() ?? 0;
    const early = takeShare(log, 'a', new Date(until - 1));
    expect(counts(early).c).toBe(counts(log).c);
    const late = beat(early, ['a', 'b'], 2, until - NOW.getTime());
    expect(counts(late)).toEqual({ a: 32, b: 32 });
  });

  test('gives every later holder of a partition a greater term', () => {
    const terms = new Map<number, number>();
    let log = empty(8);
    for (const [index, tokens] of [['a'], ['a', 'b'], ['b', 'c'], ['c'], ['d']].entries()) {
      log = beat(log, tokens, 3, index * 20_000);
      for (const [partition, holder] of log.holders.entries()) {
        expect(holder?.term).toBeGreaterThanOrEqual(terms.get(partition) ?? 0);
        terms.set(partition, holder?.term ?? 0);
      }
    }
    const last = beat(log, ['a'], 1, 200_000);
    for (const [partition, holder] of last.holders.entries()) {
      expect(holder?.term).toBeGreaterThan(terms.get(partition) ?? 0);
    }
  });

  test('does not wait for a process whose clock was far ahead', () => {
    const ahead = takeShare(empty(64), 'ahead', at(3_600_000));
    expect(counts(takeShare(ahead, 'a', NOW))).toEqual({ a: 64 });
  });
});

test('a partition is the same in every version', () => {
  expect(partitionOf('acme/sandbox', 64)).toBe(22);
  expect(partitionOf('acme/live', 64)).toBe(27);
});
test('partitions divide accounts evenly', () => {
  const counted = new Map<number, number>();
  for (let tenant = 0; tenant < 6_400; tenant += 1) {
    const partition = partitionOf(`tenant-${tenant}/live`, 64);
    counted.set(partition, (counted.get(partition) ?? 0) + 1);
  }
  expect(counted.size).toBe(64);
  expect(Math.max(...counted.values())).toBeLessThan(150);
});
