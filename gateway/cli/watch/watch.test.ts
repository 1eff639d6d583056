import { describe, expect, test } from '@jest/globals';
import { OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { CursorGoneError, type StatusChange, type WatchedGraph, watch } from './watch.ts';

const change = (number: number, status: string): StatusChange => ({
  status,
  statusDetails: 'Details',
  at: `2026-03-01T00:00:0${number}.000Z`,
  cursor: `c${number}`,
});
const PENDING = change(0, 'PENDING');
const PROCESSING = change(1, 'PROCESSING');
const COMPLETED = change(2, 'COMPLETED');

/** The reactions of the graph to each call, in turn: events, and then an error or the end of the stream. */
type Part = StatusChange | Error;

/** Watches a scripted graph. */
async function run(finds: readonly Part[], follows: readonly (readonly Part[])[]) {
  const [nextFinds, nextFollows] = [[...finds], [...follows]];
  const seen = { lines: [] as string[], after: [] as string[], pauses: [] as number[] };
  const graph: WatchedGraph = {
    find: async () => {
      const next = nextFinds.shift() ?? new OperatorError('The script is over');
      if (next instanceof Error) {
        throw next;
      }
      return next;
    },
    async *follow(_reference, after) {
      seen.after.push(after);
      for (const part of nextFollows.shift() ?? [new OperatorError('The script is over')]) {
        if (part instanceof Error) {
          throw part;
        }
        yield part;
      }
    },
  };
  const status = await watch({
    graph,
    reference: 'AB12cd34',
    show: ({ status: shown }) => seen.lines.push(shown),
    say: (line) => seen.lines.push(line),
    pause: async (ms) => void seen.pauses.push(ms),
    random: () => 1,
  }).catch((error: Error) => error.message);
  return { status, ...seen };
}

const AWAY = 'The server is away. Trying again …';

describe('A watch', () => {
  test('prints the current status and each later one, and ends with the last', async () => {
    expect(await run([PENDING], [[PROCESSING, COMPLETED, PENDING]])).toEqual({
      status: 'COMPLETED',
      lines: ['PENDING', 'PROCESSING', 'COMPLETED'],
      after: ['c0'],
      pauses: [],
    });
  });

  test.each(['COMPLETED', 'REJECTED', 'CANCELLED'])(
    'ends at once if the status is already %s',
    async (status) => {
      expect(await run([change(0, status)], [])).toMatchObject({ status, lines: [status], after: [] });
    },
  );

  test('resumes after the last event when the stream ends or breaks, without a gap or a repetition', async () => {
    const broken = new Error('socket closed');
    const found = await run([PENDING], [[], [PROCESSING, broken], [broken], [COMPLETED]]);
    expect(found).toMatchObject({ status: 'COMPLETED', after: ['c0', 'c0', 'c1', 'c1'] });
    expect(found.lines).toEqual(['PENDING', AWAY, 'PROCESSING', AWAY, 'COMPLETED']);
  });

  test('waits for an unreachable server, longer each time, at most 10 s', async () => {
    const away = Array.from({ length: 8 }, () => new Error('ECONNREFUSED'));
    const found = await run([...away, COMPLETED], []);
    expect(found.pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    expect(found.lines).toEqual([AWAY, 'COMPLETED']);
  });

  test('waits longer each time for a server that answers but ends each stream', async () => {
    const gone = new CursorGoneError('expired');
    const finds = Array.from({ length: 7 }, () => PENDING);
    const found = await run(
      [...finds, COMPLETED],
      Array.from({ length: 7 }, () => [gone]),
    );
    expect(found.pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000]);
    expect(found.lines).toEqual(['PENDING', AWAY, 'COMPLETED']);
  });

  test('reads the current status again if its cursor expired, and prints no status twice', async () => {
    const gone = new CursorGoneError('expired');
    const found = await run([PENDING, { ...PENDING, cursor: 'c5' }], [[gone], [COMPLETED]]);
    expect(found.after).toEqual(['c0', 'c5']);
    expect(found.lines).toEqual(['PENDING', AWAY, 'COMPLETED']);
  });

  test('ends with an error that only the operator can fix', async () => {
    expect(await run([new OperatorError('no such request')], [])).toMatchObject({
      status: 'no such request',
      pauses: [],
    });
    expect(await run([PENDING], [[new OperatorError('revoked')]])).toMatchObject({ status: 'revoked' });
  });
});
