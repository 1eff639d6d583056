import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { object, text } from '../subgraphs/kernel/json/json-schema.ts';
import type { WebhookEvent } from '../subgraphs/webhook-events/declare.ts';
import { OPERATION_CREATED } from '../subgraphs/webhook-events/money-requests.ts';
import { EVENT_VERSIONS } from '../subgraphs/webhook-events/versions.ts';
import { asyncApiDocument } from './asyncapi.ts';
import { choosableVersions, eventVersions, supportOf } from './event-versions.ts';

const document = asyncApiDocument();
const { channels, components } = document;
/** A copy, because validators mark what they have read. */
const copyOf = (value: object) => JSON.parse(JSON.stringify(value)) as object;

/** The published JSON Schema of AsyncAPI documents. */
function metaSchema(): object {
  const path = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0-without-$id.json');
  return JSON.parse(readFileSync(path, 'utf8')) as object;
}

/** The schema at `#/components/schemas/…`. */
function schemaAt({ $ref }: { readonly $ref: string }): object {
  const schema = components.schemas[$ref.replace('#/components/schemas/', '')];
  if (schema === undefined) {
    throw new TypeError(`${$ref} leads nowhere`);
  }
  return schema;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const messages = Object.entries(components.messages);

describe('The AsyncAPI description', () => {
  test('is valid AsyncAPI 3.0', () => {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(metaSchema());
    expect(validate(copyOf(document)) ? [] : validate.errors).toEqual([]);
    expect(validate({ ...copyOf(document), asyncapi: undefined })).toBe(false);
  });

  test('has the supported versions with their dates', () => {
    expect(document.info['x-event-versions'].map(({ version }) => version)).toEqual(EVENT_VERSIONS);
    const dates = { deprecatedAt: '2026-12-01', sunsetAt: '2027-06-01' };
    const deprecations = [{ name: 'event version 1', ...dates, page: '/docs/upgrade#versions-of-events' }];
    const versions = eventVersions([1, 2], deprecations);
    const { info } = asyncApiDocument(versions);
    expect(info['x-event-versions']).toEqual([{ version: 1, ...dates }, { version: 2 }]);
    expect(versions.map(supportOf)).toEqual([
      'is supported at least until 2027-06-01',
      'has no announced end',
    ]);
    const choosableAt = (time: string) => choosableVersions(() => new Date(time), versions)();
    expect(choosableAt('2027-05-31T23:59:59.999Z')).toEqual([1, 2]);
    expect(choosableAt('2027-06-01T00:00:00.000Z')).toEqual([2]);
  });

  test('has the earlier bodies of an event that are supported', () => {
    const schema = object({ amount: text });
    const event = { ...OPERATION_CREATED, version: 2 };
    const changed = { ...event, earlier: [{ version: 1, schema, downgrade: () => ({ amount: '1' }) }] };
    const messagesOf = (one: WebhookEvent) => Object.values(asyncApiDocument([], [one]).components.messages);
    expect(messagesOf(changed)).toEqual([
      { ...messagesOf(event)[0], 'x-earlier-bodies': [{ version: 1, payload: schema }] },
    ]);
  });

  test('sends each message through one channel', () => {
    const sent = Object.values(channels).flatMap((channel) => Object.values(channel.messages));
    expect(sent.map(({ $ref }) => $ref).toSorted()).toEqual(
      messages.map(([name]) => `#/components/messages/${name}`).toSorted(),
    );
  });

  test.each(messages)(
    'has an example of %s that fits its payload and no other message',
    (name, { examples }) => {
      const [example] = examples;
      const fitting = messages.filter(([, { payload }]) => ajv.validate(schemaAt(payload), example?.payload));
      expect(fitting.map(([one]) => one)).toEqual([name]);
    },
  );

  test('requires the headers of a document, and allows others', () => {
    const headers = schemaAt({ $ref: '#/components/schemas/HeadersOfDocument3' });
    const sent = { 'X-RAAS-Timestamp': '1', 'X-RAAS-Event': 'e', 'X-Webhook-Delivery-Id': 'd', Host: 'h' };
    expect(ajv.validate(headers, sent)).toBe(true);
    expect(ajv.validate(headers, { ...sent, 'X-RAAS-Event': undefined })).toBe(false);
    expect(messages.every(([, message]) => schemaAt(message.headers))).toBe(true);
  });
});
