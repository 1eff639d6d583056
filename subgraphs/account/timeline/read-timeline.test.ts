import { expect, test } from '@jest/globals';
import type { TimelineChapter, TimelineRecord, TimelineSource } from '../../graph/timeline.ts';
import type { RequestDocument } from '../../partners/request-log/model.ts';
import { readTimeline, type TimelineDeps } from './read-timeline.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const EMPTY: TimelineChapter = { entries: [], related: [], deliveries: [], problems: [], isCut: false };
const START: TimelineRecord = { type: 'RequestMoney', id: 'AB12cd34' };

function sourceOf(type: TimelineSource['type'], chapter: Partial<TimelineChapter>, reads?: string[]) {
  return {
    type,
    read: async (_tenantId: string, id: string) => {
      reads?.push(`${type}:${id}`);
      return { ...EMPTY, ...chapter };
    },
  };
}

/** The rows of webhooks and calls that are read with these chapters. */
async function readOf(sources: readonly TimelineSource[], calls: readonly RequestDocument[] = []) {
  const asked: { webhooks: readonly string[]; calls: readonly string[] } = { webhooks: [], calls: [] };
  const deps: TimelineDeps = {
    sources,
    history: { of: async () => [], ofMany: async () => [], changesAfter: async () => [] },
    deliveries: {
      timeline: async (_history, _tenantId, ids) => {
        asked.webhooks = ids;
        return { entries: [], problems: [], isCut: false };
      },
    },
    requests: {
      findAbout: async (_tenantId, keys, most) => {
        asked.calls = keys;
        return calls.slice(0, most);
      },
    },
  };
  return { timeline: await readTimeline(deps, 'acme/sandbox', START), asked };
}

const webhooks = (name: string, count: number, minute: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${name}-${index}`, at: at(minute(index)) }));

test('a timeline with too many webhooks has the newest of all records, and says that it is cut', async () => {
  const { timeline, asked } = await readOf([
    sourceOf('RequestMoney', {
      related: [{ type: 'Link', id: 'lnk_1' }],
      deliveries: webhooks('request', 200, (index) => 2 * index + 1),
    }),
    sourceOf('Link', { deliveries: webhooks('link', 100, (index) => 2 * index) }),
  ]);
  expect(asked.webhooks).toHaveLength(250);
  expect(asked.webhooks).toContain('request-199');
  expect(asked.webhooks).not.toContain('request-0');
  expect(asked.webhooks).not.toContain('link-0');
  expect(timeline.isCut).toBe(true);
});

test('a webhook that two records name is read once, and 250 webhooks fit', async () => {
  const same = webhooks('same', 250, (index) => index);
  const { timeline, asked } = await readOf([
    sourceOf('RequestMoney', { related: [{ type: 'Link', id: 'lnk_1' }], deliveries: same }),
    sourceOf('Link', { deliveries: same }),
  ]);
  expect(new Set(asked.webhooks).size).toBe(asked.webhooks.length);
  expect(asked.webhooks).toHaveLength(250);
  expect(timeline.isCut).toBe(false);
});

test.each([
  [249, false],
  [250, true],
])('with %i calls found of 250 that are read at most, it is cut: %p', async (count, isCut) => {
  const calls = Array.from(
    { length: count },
    (_, index): RequestDocument => ({
      _id: `req_${index}`,
      accountId: 'acme/sandbox',
      createdAt: at(index),
      requestId: `r-${index}`,
      surface: 'REQUEST_MONEY',
      isMutation: true,
      outcome: 'CLIENT_ERROR',
      ms: 1,
      keyId: 'key_1',
      keys: [],
    }),
  );
  const { timeline } = await readOf([sourceOf('RequestMoney', {})], calls);
  expect(timeline.entries).toHaveLength(count);
  expect(timeline.isCut).toBe(isCut);
});

test('records that name each other are read once; calls about a link are not calls about the payment', async () => {
  const reads: string[] = [];
  const related: TimelineRecord[] = [
    { type: 'RequestMoney', id: 'AB12cd34' },
    { type: 'Operation', id: 'op_1' },
    { type: 'Link', id: 'lnk_1' },
  ];
  const { asked } = await readOf([
    sourceOf('RequestMoney', { related }, reads),
    sourceOf('Operation', { related }, reads),
    sourceOf('Link', { related }, reads),
  ]);
  expect(reads).toEqual(['RequestMoney:AB12cd34', 'Operation:op_1', 'Link:lnk_1']);
  expect(asked.calls).toEqual(['AB12cd34', 'op_1']);
});
