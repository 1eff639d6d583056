import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { object, text, time } from '../kernel/json/json-schema.ts';
import { fieldOf, isRecord } from '../kernel/objects.ts';
import { WEBHOOK_EVENTS } from './catalogue.ts';
import { envelopedEvent, plainEvent, type WebhookEvent } from './declare.ts';
import { bodiesOf, dataFor, EVENT_VERSIONS, NEWEST_EVENT_VERSION } from './versions.ts';

const AT = new Date('2026-11-21T08:00:00.000Z');
const schemaOf = (data: object) =>
  object({ event: text, data: object({ id: text, ...data }), timestamp: time });
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
    {
      version: 2,
      schema: schemaOf({ from: text }),
      downgrade: ({ payer, ...data }) => ({ ...data, from: payer }),
    },
    { version: 1, schema: schemaOf({}), downgrade: ({ from: _from, ...data }) => data },
  ],
} as const satisfies Parameters<typeof plainEvent>[0];
const MEMBERS = {
  id: [text, ({ id }: { readonly id: string }) => id],
  payer: [text, () => 'Ana'],
} as const;
const PAID = envelopedEvent<'paid', { readonly id: string }>(FACTS, MEMBERS, { id: '1' });
const NEWEST = { id: '1', payer: 'Ana' };

const ajv = new Ajv2020({ validateFormats: false });
/** Versions in which the example of an event, as it is sent to an endpoint of this version, does not fit the schema of its body. */
function misfitsOf(event: WebhookEvent, versions: readonly number[]): number[] {
  const { example, earlier = [] } = event;
  const data = 'of' in event ? fieldOf(example, 'data') : example;
  if (!isRecord(data)) {
    throw new TypeError(`The example of ${event.name} has no data`);
  }
  return versions.filter((version) => {
    const sent = dataFor(event, data, version);
    const { schema } = [event, ...earlier].find((one) => one.version <= version) ?? event;
    return !ajv.validate(schema, 'of' in event ? { ...example, data: sent } : sent);
  });
}

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

test('The body of an event in each version fits the schema of this version', () => {
  expect(misfitsOf(PAID, [1, 2, 3, 4])).toEqual([]);
  const [second, first] = FACTS.earlier;
  const unchanged = { ...first, downgrade: (data: object) => ({ ...data }) };
  expect(misfitsOf({ ...PAID, earlier: [second, unchanged] }, [1, 2, 3, 4])).toEqual([1]);
});

describe('The catalogue', () => {
  test('has its versions in order, and the newest one last', () => {
    expect(EVENT_VERSIONS).toEqual([...new Set(EVENT_VERSIONS)].toSorted((one, other) => one - other));
    expect(NEWEST_EVENT_VERSION).toBe(EVENT_VERSIONS.at(-1));
  });

  test.each(WEBHOOK_EVENTS.map((event) => [event.name, event] as const))(
    'has a body of %s for each supported version, newest first, and makes it as described',
    (_name, event) => {
      const { version, earlier = [] } = event;
      const versions = [version, ...earlier.map((body) => body.version)];
      expect(versions).toEqual([...new Set(versions)].toSorted((one, other) => other - one));
      expect(versions.at(-1)).toBeLessThanOrEqual(Math.min(...EVENT_VERSIONS));
      expect(version).toBeLessThanOrEqual(NEWEST_EVENT_VERSION);
      expect(misfitsOf(event, EVENT_VERSIONS)).toEqual([]);
    },
  );
});
