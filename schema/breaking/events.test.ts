import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { checkBreaking } from './check.ts';
import { EVENTS_FILE, eventIssues } from './events.ts';
import type { JsonNode } from './nodes.ts';

const schemaOf = (data: object) => ({
  ...{ type: 'object', additionalProperties: false, required: ['event', 'data', 'timestamp'] },
  properties: {
    event: { const: 'paid' },
    data: { type: 'object', ...data },
    timestamp: { type: 'string', description: 'When it was stored.' },
  },
});

const DATA = {
  properties: { description: { type: 'string' }, amount: { type: 'number' } },
  required: ['amount'],
};

interface Described {
  /** The version that gave the event its body. */
  readonly version?: number;
  readonly data?: object;
  readonly name?: string;
  /** Those of the catalogue. */
  readonly versions?: readonly object[];
  /** The data of earlier versions. */
  readonly earlier?: readonly (readonly [version: number, data: object])[];
}

/** A description of one event, `paid`. */
function describing({ version = 1, data = DATA, name = 'paid', ...more }: Described = {}): JsonNode {
  const { versions = [{ version: 1 }], earlier = [] } = more;
  const payload = { $ref: '#/components/schemas/Paid' };
  const bodies = earlier.map(([number, former]) => ({ version: number, payload: schemaOf(former) }));
  return {
    info: { 'x-event-versions': versions },
    components: {
      messages: { Paid: { name, payload, 'x-event-version': version, 'x-earlier-bodies': bodies } },
      schemas: { Paid: schemaOf(data) },
    },
  };
}

const BOTH = [{ version: 1 }, { version: 2 }];
const { properties } = DATA;
const OTHER_BODIES: readonly [string, object][] = [
  ['a new field', { ...DATA, properties: { ...properties, more: { type: 'string' } } }],
  ['a field less', { ...DATA, properties: { amount: properties.amount } }],
  ['another type', { ...DATA, properties: { ...properties, amount: { type: 'string' } } }],
  ['a field that may be missing now', { ...DATA, required: [] }],
  ['a value less', { ...DATA, properties: { ...properties, amount: { type: 'number', enum: [1] } } }],
];

describe('An event of a release', () => {
  test.each(OTHER_BODIES)('keeps its body in a released version: %s is an issue', (_what, data) => {
    const issue = 'paid has another body in version 1: change it in a new version only';
    expect(eventIssues(describing(), describing({ data }))).toEqual([issue]);
    const changed = { version: 2, data, versions: BOTH };
    expect(eventIssues(describing(), describing({ ...changed, earlier: [[1, data]] }))).toEqual([issue]);
    expect(eventIssues(describing(), describing(changed))).toEqual([issue]);
  });

  test.each(OTHER_BODIES)('may have %s in a new version', (_what, data) => {
    const changed = { version: 2, data, versions: BOTH };
    expect(eventIssues(describing(), describing({ ...changed, earlier: [[1, DATA]] }))).toEqual([]);
  });

  test('has no other body in a version that is released because of another event', () => {
    const earlier = [[1, DATA]] as const;
    const changed = { data: { ...DATA, required: [] }, earlier };
    const released = describing({ versions: BOTH });
    expect(eventIssues(released, describing({ ...changed, version: 2, versions: BOTH }))).toEqual([
      'paid has another body in version 2: change it in a new version only',
    ]);
    const versions = [...BOTH, { version: 3 }];
    expect(eventIssues(released, describing({ ...changed, version: 3, versions }))).toEqual([]);
  });

  test('may be explained in other words', () => {
    const amount = { ...properties.amount, description: 'In the currency.', title: 'Sum', examples: [1] };
    const data = { ...DATA, description: 'The payment.', properties: { ...properties, amount } };
    expect(eventIssues(describing(), describing({ data }))).toEqual([]);
  });

  test('may be gone, and others may be new, as far as its body goes', () => {
    expect(eventIssues(describing(), describing({ data: {}, name: 'refunded' }))).toEqual([]);
  });

  test('must have a version', () => {
    const components = { messages: { Paid: { name: 'paid', payload: {} } } };
    expect(() => eventIssues({ components }, describing())).toThrow(
      'The message Paid has no name or no version',
    );
  });
});

describe('A version of the catalogue', () => {
  const afterEnd = (first: object) =>
    eventIssues(
      describing({ version: 2, versions: [first, { version: 2 }], earlier: [[1, {}]] }),
      describing({ version: 2, versions: [{ version: 2 }] }),
    );

  test('does not go without an announced end', () => {
    expect(afterEnd({ version: 1 })).toEqual(['version 1 of the events is gone without an announced end']);
    expect(eventIssues(describing({ versions: BOTH }), describing({ versions: BOTH }))).toEqual([]);
  });

  test('can go, with its bodies, when the release has announced its end', () => {
    expect(afterEnd({ version: 1, deprecatedAt: '2026-12-01', sunsetAt: '2027-06-01' })).toEqual([]);
  });
});

describe('The events of the catalogue', () => {
  const read = (path: string) => readFileSync(path, 'utf8');
  const check = (change: (events: string) => string) =>
    checkBreaking({
      ...{ version: '2.0.0', tag: 'v1.0.0', today: '2026-12-01', released: read },
      present: (path) => (path === EVENTS_FILE ? change(read(path)) : read(path)),
    });
  const changed = (events: string) => events.replace('"waLink": {', '"link": {');

  test('are compared with the release, whatever the version of the package allows', () => {
    expect(check((events) => events).isWell).toBe(true);
    const { lines, isWell } = check(changed);
    expect([isWell, lines[0]]).toEqual([
      false,
      `${EVENTS_FILE}: operation_created has another body in version 1: change it in a new version only`,
    ]);
  });

  test('keep their version until its sunset, which the release has announced', () => {
    const { lines, isWell } = check((events) => events.replace(/"version": 1\b/, '"version": 2'));
    expect([isWell, lines[0]]).toEqual([
      false,
      `${EVENTS_FILE}: version 1 of the events is gone without an announced end`,
    ]);
  });

  test('can be more: a test can then have the name of the new one', () => {
    expect(
      check((events) => events.replace(/"user\.data_request"(?=\s*\])/, '"user.data_request", "new"')).isWell,
    ).toBe(true);
  });
});
