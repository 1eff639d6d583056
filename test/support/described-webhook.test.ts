import { describe, expect, test } from '@jest/globals';
import { WEBHOOK_EVENTS } from '../../subgraphs/webhook-events/catalogue.ts';
import { issuesOfWebhook } from './described-webhook.ts';

const [created] = WEBHOOK_EVENTS;
const example = created?.example as { event: string; data: Record<string, unknown>; timestamp: string };
const changed = (change: object, data: object = {}) =>
  JSON.stringify({ ...example, ...change, data: { ...example.data, ...data } });

describe('a webhook', () => {
  test.each(WEBHOOK_EVENTS.map((event) => [event.name, event] as const))(
    'fits the catalogue: %s',
    (_name, event) => {
      expect(issuesOfWebhook(JSON.stringify(event.example))).toEqual([]);
    },
  );

  test('fits as a test with the name of another event', () => {
    const body = { event: 'operation.completed', data: { partnerId: 'acme', test: true }, timestamp: 'now' };
    expect(issuesOfWebhook(JSON.stringify(body))).toEqual([]);
    expect(issuesOfWebhook(JSON.stringify({ ...body, event: 'operation.paid' }))).toEqual([
      expect.stringContaining('must be equal to one of the allowed values'),
    ]);
  });

  test.each([
    ['an unknown member', changed({ more: 1 }), 'must NOT have additional properties'],
    ['an unknown member of its data', changed({}, { more: 1 }), 'must NOT have additional properties'],
    ['a missing member', changed({ timestamp: undefined }), "must have required property 'timestamp'"],
    ['an amount as text', changed({}, { amount: '1' }), 'operation_created/data/amount must be number'],
    ['another status', changed({}, { status: 'paid' }), 'must be equal to one of the allowed values'],
    ['an unknown name', changed({ event: 'operation.paid' }), 'the catalogue has no event operation.paid'],
  ])('does not fit with %s', (_what, text, issue) => {
    expect(issuesOfWebhook(text).join()).toContain(issue);
  });
});
