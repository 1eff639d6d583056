import { expect, test } from '@jest/globals';
import type { WebhookWorker } from '../support/webhook-worker/start.ts';
import { readRejected } from './judge-leases.ts';

/** A worker that has left a journal. */
function left(...lines: Readonly<Record<string, unknown>>[]): WebhookWorker {
  return { journal: () => lines } as unknown as WebhookWorker;
}

const leased = (aheadMs: number, ...ids: string[]) => ({ leased: ids, aheadMs });
const lost = { msg: 'webhook.lease_lost', deliveryId: 'd1' };

test('a result that came too late is explained by a lease under a clock that was ahead', () => {
  const workers = [
    left(leased(0, 'd1', 'd2'), lost),
    left(leased(130_000, 'd1')),
    left(leased(260_000, 'd2')),
  ];
  expect(readRejected(workers)).toEqual([{ deliveryId: 'd1', aheadMs: 130_000 }]);
});

test.each([
  ['nobody else has leased it', left(leased(130_000, 'd2'))],
  ['another process has leased it under the same clock', left(leased(0, 'd1'))],
  ['another process had leased it under an earlier clock', left(leased(-130_000, 'd1'))],
])('nothing explains it where %s', (_where, other) => {
  const workers = [left(leased(0, 'd1'), lost), other];
  expect(readRejected(workers)).toEqual([{ deliveryId: 'd1', aheadMs: undefined }]);
});
