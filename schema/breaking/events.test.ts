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

/** A description of one event, `paid`, in a catalogue with these versions. */
function describing(
  version: number,
  data: object = DATA,
  name = 'paid',
  versions: readonly object[] = [{ version: 1 }, { version }],
): JsonNode {
  const payload = { $ref: '#/components/schemas/Paid' };
  return {
    info: { 'x-event-versions': versions },
    components: {
      messages: { Paid: { name, payload, 'x-event-version': version } },
      schemas: { Paid: schemaOf(data) },
    },
  };
}

const { properties } = DATA;
const OTHER_BODIES: readonly [string, object][] = [
  ['a new field', { ...DATA, properties: { ...properties, more: { type: 'string' } } }],
  ['a field less', { ...DATA, properties: { amount: properties.amount } }],
  ['another type', { ...DATA, properties: { ...properties, amount: { type: 'string' } } }],
  ['a field that may be missing now', { ...DATA, required: [] }],
  ['a value less', { ...DATA, properties: { ...properties, amount: { type: 'number', enum: [1] } } }],
];

describe('An event of a release', () => {
  test.each(OTHER_BODIES)('keeps its body under the same version: %s is an issue', (_what, data) => {
    expect(eventIssues(describing(1), describing(1, data))).toEqual([
      'paid has another body, but still version 1: raise its version in the catalogue',
    ]);
  });

  test.each(OTHER_BODIES)('may have %s under a new version', (_what, data) => {
    expect(eventIssues(describing(1), describing(2, data))).toEqual([]);
  });

  test('has no other body under a version that is released because of another event', () => {
    const released = describing(1, DATA, 'paid', [{ version: 1 }, { version: 2 }]);
    const data = { ...DATA, required: [] };
    expect(eventIssues(released, describing(2, data))).toEqual([
      'paid cannot get version 2, which is released: add a version to the catalogue',
    ]);
    const versions = [{ version: 1 }, { version: 2 }, { version: 3 }];
    expect(eventIssues(released, describing(3, data, 'paid', versions))).toEqual([]);
  });

  test('may be explained in other words', () => {
    const amount = { ...properties.amount, description: 'In the currency.', title: 'Sum', examples: [1] };
    const data = { ...DATA, description: 'The payment.', properties: { ...properties, amount } };
    expect(eventIssues(describing(1), describing(1, data))).toEqual([]);
  });

  test('has no lower version later', () => {
    const versions = [{ version: 1 }, { version: 2 }];
    expect(eventIssues(describing(2), describing(1, DATA, 'paid', versions))).toEqual([
      'the version of paid has fallen from 2 to 1',
    ]);
  });

  test('may be gone, and others may be new, as far as its body goes', () => {
    expect(eventIssues(describing(1), describing(1, {}, 'refunded'))).toEqual([]);
  });

  test('must have a version', () => {
    const components = { messages: { Paid: { name: 'paid', payload: {} } } };
    expect(() => eventIssues({ components }, describing(1))).toThrow(
      'The message Paid has no name or no version',
    );
  });
});

describe('A version of the catalogue', () => {
  const both = [{ version: 1 }, { version: 2 }];
  const describingVersions = (versions: readonly object[]) => describing(1, DATA, 'paid', versions);
  const afterEnd = (first: object) =>
    eventIssues(describingVersions([first, { version: 2 }]), describingVersions([{ version: 2 }]));

  test('does not go without an announced end', () => {
    expect(afterEnd({ version: 1 })).toEqual(['version 1 of the events is gone without an announced end']);
    expect(eventIssues(describingVersions(both), describingVersions(both))).toEqual([]);
  });

  test('can go when the release has announced its end', () => {
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
      `${EVENTS_FILE}: operation_created has another body, but still version 1: raise its version in the catalogue`,
    ]);
  });

  test('can get another body with another version', () => {
    expect(
      check((events) => changed(events).replace('"x-event-version": 1', '"x-event-version": 2')).isWell,
    ).toBe(true);
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
