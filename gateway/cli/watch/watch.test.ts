import { describe, expect, test } from '@jest/globals';
import { OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { type ListAndSubscription, type LiveClient, LiveError, type LiveState } from '../../client/index.ts';
import { watch } from './watch.ts';

const at = (second: number) => `2026-03-01T00:00:0${second}.000Z`;
const present = (second: number, status: string, cursor = `c${second}`) => ({
  kind: 'list',
  cursor,
  data: { me: { id: 'acme' }, requestMoney: { status, statusDetails: 'Details', updatedAt: at(second) } },
});
const later = (second: number, status: string) => ({
  kind: 'event',
  cursor: `c${second}`,
  data: { requestMoneyStatusChanged: { status, statusDetails: 'Details', occurredAt: at(second) } },
});
const AWAY: LiveState = { name: 'resuming', because: new LiveError('CONNECTION_LOST', 'closed'), inMs: 1 };
const TRYING = 'The server is away. Trying again …';

/** Watches a scripted client: items come in turn, states are reported, and an error ends it. */
async function run(...script: readonly object[]) {
  const lines: string[] = [];
  async function* items({ onState }: ListAndSubscription) {
    for (const part of script) {
      if (part instanceof Error) {
        throw part;
      }
      if ('name' in part) {
        onState?.(part as LiveState);
      } else {
        yield part;
      }
    }
  }
  // The cast: a generator takes the place of the client's iterator.
  const client = { listThenFollow: items } as unknown as Pick<LiveClient, 'listThenFollow'>;
  const status = await watch({
    client,
    reference: 'AB12cd34',
    tenant: undefined,
    show: (change) => lines.push(change.status),
    say: (line) => lines.push(line),
  }).catch((error: Error) => error);
  return { status, lines };
}

describe('A watch', () => {
  test('prints the current status and each later one, and ends with the last', async () => {
    const found = await run(present(0, 'PENDING'), later(1, 'PROCESSING'), later(2, 'COMPLETED'), AWAY);
    expect(found).toEqual({ status: 'COMPLETED', lines: ['PENDING', 'PROCESSING', 'COMPLETED'] });
  });

  test.each(['COMPLETED', 'REJECTED', 'CANCELLED'])(
    'ends at once if the status is already %s',
    async (status) => {
      expect(await run(present(0, status), AWAY)).toEqual({ status, lines: [status] });
    },
  );

  test('says once for each outage that the server is away', async () => {
    const found = await run(AWAY, AWAY, present(0, 'PENDING'), AWAY, AWAY, later(1, 'COMPLETED'));
    expect(found.lines).toEqual([TRYING, 'PENDING', TRYING, 'COMPLETED']);
  });

  test('prints no status twice when it reads the current one again because its cursor expired', async () => {
    const found = await run(present(0, 'PENDING'), AWAY, present(0, 'PENDING', 'c5'), later(6, 'COMPLETED'));
    expect(found.lines).toEqual(['PENDING', TRYING, 'COMPLETED']);
  });

  test.each([
    ['UNAUTHENTICATED', 'KEY is not a valid API key, or no longer.'],
    ['FORBIDDEN', 'it lacks a scope'],
  ])('ends with an error for the operator at %s', async (code, message) => {
    const { status } = await run(present(0, 'PENDING'), new LiveError(code, 'it lacks a scope'));
    expect(status).toEqual(new OperatorError(message));
  });
});
