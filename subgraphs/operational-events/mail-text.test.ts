import { expect, test } from '@jest/globals';
import { OPERATIONAL_EVENTS } from '../webhook-events/operational.ts';
import { composeMail } from './mail-text.ts';

const AT = new Date('2026-11-27T18:05:00.000Z');
const SHOWN = { timeZone: 'America/Mexico_City', consoleUrl: 'https://api.example.com/console' };
type Notices = Parameters<typeof composeMail>[2];
type Notice = Notices[number];

const key = (number: number): Notice => ({
  _id: `on_${number}`,
  event: 'key.expiring',
  data: { keyId: `key_${number}`, endsAt: '2026-11-28T08:00:00.000Z' },
  occurredAt: AT,
});
const compose = (notices: Notices, to = 'ops@acme.test') => composeMail(to, 'acme/sandbox', notices, SHOWN);

test('many events are one message, by kind, with at most ten lines each and one link', () => {
  const many = Array.from({ length: 12 }, (_, index) => key(index));
  const failing: Notice = {
    ...{ _id: 'on_f', event: 'endpoint.failing', data: { endpointId: 'first' }, occurredAt: AT },
  };
  const { subject, text } = compose([...many, failing]);
  expect(subject).toBe('acme (sandbox): API keys that end soon (12), Webhook endpoints that fail (1)');
  expect(text.match(/^- .* key_/gm)).toHaveLength(10);
  expect(text).toContain('- and 2 more');
  expect(text).toContain('- 2026-11-27 12:05 first: new webhooks are kept until it answers');
  expect(text.match(/https:\/\//g)).toHaveLength(1);
});

test('all times are in the time zone of the partner', () => {
  const stuck: Notice = {
    ...{ _id: 'on_s', event: 'remittance.stuck', occurredAt: AT },
    data: { remittances: 1, stuckSince: '2026-11-27T17:00:00.000Z' },
  };
  const { text } = compose([key(1), stuck]);
  expect(text).toContain('- 2026-11-27 12:05 key_1 ends at 2026-11-28 02:00');
  expect(text).toContain('- 2026-11-27 12:05 1 stuck, the longest since 2026-11-27 11:00');
  expect(text).not.toMatch(/\d{4}-\d\d-\d\dT/);
});

test('every operational event has a line without gaps, made of its data', () => {
  for (const { name, example } of OPERATIONAL_EVENTS) {
    const { data } = JSON.parse(JSON.stringify(example));
    const { text } = compose([{ _id: 'on_1', event: name, data, occurredAt: AT }]);
    expect([name, text]).not.toEqual([name, expect.stringMatching(/undefined|null|NaN/)]);
  }
});

test('the id is that of the events and the address, in any order', () => {
  const { id } = compose([key(1), key(2)]);
  expect(compose([key(2), key(1)]).id).toBe(id);
  expect(compose([key(1)]).id).not.toBe(id);
  expect(compose([key(1), key(2)], 'other@acme.test').id).not.toBe(id);
});
