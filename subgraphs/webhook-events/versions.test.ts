import { describe, expect, test } from '@jest/globals';
import { text } from '../kernel/json/json-schema.ts';
import { WEBHOOK_EVENTS } from './catalogue.ts';
import { envelopedEvent, plainEvent } from './declare.ts';
import { bodiesOf, dataFor, EVENT_VERSIONS, NEWEST_EVENT_VERSION } from './versions.ts';

const AT = new Date('2026-11-21T08:00:00.000Z');
const FACTS = {
  name: 'paid',
  version: 4,
  document: 2,
  source: 'a test',
  schemaName: 'Paid',
  summary: 'It was paid',
  sentWhen: 'Sent when it was paid.',
  receivers: 'subscribers',
  earlier: [
    { version: 2, downgrade: ({ payer, ...data }) => ({ ...data, from: payer }) },
    { version: 1, downgrade: ({ from: _from, ...data }) => data },
  ],
} as const satisfies Parameters<typeof plainEvent>[0];
const MEMBERS = {
  id: [text, ({ id }: { readonly id: string }) => id],
  payer: [text, () => 'Ana'],
} as const;
const PAID = envelopedEvent<'paid', { readonly id: string }>(FACTS, MEMBERS, { id: '1' });
const NEWEST = { id: '1', payer: 'Ana' };

describe('The data of an event', () => {
  test.each([
    [1, { id: '1' }],
    [2, { id: '1', from: 'Ana' }],
    [3, { id: '1', from: 'Ana' }],
    [4, NEWEST],
    [5, NEWEST],
  ])('are, in version %d, those of the last change until then', (version, data) => {
    expect(dataFor(PAID, PAID.of({ id: '1' }).data, version)).toEqual(data);
  });

  test('are the oldest ones that are left in a version that is no longer supported', () => {
    const [second] = FACTS.earlier;
    expect(dataFor({ version: 4, earlier: [second] }, NEWEST, 1)).toEqual({ id: '1', from: 'Ana' });
  });

  test('are the whole body of an event without an envelope', () => {
    const plain = plainEvent<'paid', { readonly id: string }>(FACTS, MEMBERS, { id: '1' });
    expect(dataFor(plain, plain.body({ id: '1' }), 1)).toEqual({ id: '1' });
  });
});

test('The bytes of an event are made once for each version, under the name that it is sent by', () => {
  let reads = 0;
  const data = {
    id: '1',
    get payer() {
      reads += 1;
      return 'Ana';
    },
  };
  const bodyFor = bodiesOf(PAID, { event: 'named', data }, AT);
  const bytes = (payer: object) =>
    JSON.stringify({ event: 'named', data: { id: '1', ...payer }, timestamp: AT.toISOString() });
  expect([bodyFor(2), bodyFor(4)]).toEqual([bytes({ from: 'Ana' }), bytes({ payer: 'Ana' })]);
  const before = reads;
  expect([bodyFor(2), bodyFor(4)]).toEqual([bytes({ from: 'Ana' }), bytes({ payer: 'Ana' })]);
  expect(reads).toBe(before);
});

describe('The catalogue', () => {
  test('has its versions in order, and the newest one last', () => {
    expect(EVENT_VERSIONS).toEqual([...new Set(EVENT_VERSIONS)].toSorted((one, other) => one - other));
    expect(NEWEST_EVENT_VERSION).toBe(EVENT_VERSIONS.at(-1));
  });

  test.each(WEBHOOK_EVENTS.map((event) => [event.name, event] as const))(
    'has a body of %s for each supported version, newest first',
    (_name, { version, earlier = [] }) => {
      const versions = [version, ...earlier.map((body) => body.version)];
      expect(versions).toEqual([...new Set(versions)].toSorted((one, other) => other - one));
      expect(versions.at(-1)).toBeLessThanOrEqual(Math.min(...EVENT_VERSIONS));
      expect(version).toBeLessThanOrEqual(NEWEST_EVENT_VERSION);
    },
  );
});
