import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isRecord } from '../kernel/objects.ts';
import { eraseBody } from '../webhooks/erase-body.ts';
import { maskedHeaders } from '../webhooks/sign.ts';
import { REQUEST_MONEY_FULL_OUTCOME } from './atomic-calls.ts';
import {
  DEFAULT_EVENTS,
  SUBSCRIBABLE_EVENTS,
  TEST,
  TEST_NAMES,
  WEBHOOK_EVENTS,
  webhookEventNamed,
} from './catalogue.ts';
import { CONTRACTS } from './contracts.ts';
import { serializeEnvelope } from './declare.ts';
import { OPERATION_CREATED, OPERATION_ERROR, STATUS_EVENTS } from './money-requests.ts';

const AT = new Date('2026-11-21T08:00:00.000Z');
const ajv = new Ajv2020({ allErrors: true, strict: true, validateFormats: false });
const EVENTS = WEBHOOK_EVENTS.map((event) => [event.name, event] as const);

describe('The catalogue of webhook events', () => {
  test('has each name and each schema once', () => {
    const names = WEBHOOK_EVENTS.map(({ name }) => name);
    const schemas = WEBHOOK_EVENTS.map(({ schemaName }) => schemaName);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(schemas).size).toBe(names.length);
    expect(webhookEventNamed('operation.completed')).toBe(STATUS_EVENTS.completed);
    expect(webhookEventNamed('operation.pending')).toBeUndefined();
  });

  test('has the events of the documents (documents 1 to 3, decisions, section 3)', () => {
    const defaults = [
      ...['operation_created', 'operation_updated', 'operation_error'],
      ...['request_money.created', 'request_money.failed'],
    ];
    const others = [
      ...['operation.processing', 'operation.completed', 'operation.rejected', 'operation.cancelled'],
      'user.data_request',
      'statement.ready',
    ];
    expect(DEFAULT_EVENTS).toEqual(defaults);
    expect(SUBSCRIBABLE_EVENTS).toEqual([...defaults, ...others]);
    expect(WEBHOOK_EVENTS.map(({ name }) => name)).toEqual([
      ...SUBSCRIBABLE_EVENTS,
      'request_money_full_outcome',
      ...['endpoint.failing', 'endpoint.recovered', 'delivery.dead_lettered'],
      ...['key.expiring', 'remittance.stuck', 'quota.near', 'discrepancy.opened'],
      'test',
    ]);
  });

  test.each(EVENTS)(
    'has an example of %s that fits its schema, and no body with another member does',
    (_name, event) => {
      const validate = ajv.compile(event.schema);
      expect(validate(event.example) ? [] : validate.errors).toEqual([]);
      const objects = objectsIn(event.example);
      expect(objects.length).toBeGreaterThan(0);
      for (const path of objects) {
        expect([path, validate(withMember(event.example, path))]).toEqual([path, false]);
      }
    },
  );

  test.each(EVENTS)(
    'has a schema of %s that the body of an erased user fits too',
    (_name, { example, schema }) => {
      const validate = ajv.compile(schema);
      expect(validate(JSON.parse(eraseBody(JSON.stringify(example)))) ? [] : validate.errors).toEqual([]);
    },
  );

  test.each(EVENTS)(
    'describes when %s is sent, and by which document',
    (name, { sentWhen, source, version, receivers }) => {
      expect(sentWhen).toMatch(/^Sent .*\.$/);
      const isOurs = receivers === 'operational' || name === 'statement.ready';
      const wanted = isOurs ? /^the GraphQL API/ : /^(document [123], "|decisions, section \d)/;
      expect(source).toMatch(wanted);
      expect(version).toBeGreaterThanOrEqual(1);
    },
  );

  test.each([1, 2, 3] as const)('has the headers with which webhooks of document %d are sent', (document) => {
    const { scheme, headers } = CONTRACTS[document];
    const sent = maskedHeaders({ scheme, event: 'e', deliveryId: 'd', at: 1 }, 1);
    const own = Object.keys(sent).filter((name) => !['Content-Type', 'User-Agent'].includes(name));
    expect(own.toSorted()).toEqual(headers.map(([name]) => name).toSorted());
    const unsigned = Object.keys(maskedHeaders({ scheme, event: 'e', deliveryId: 'd', at: 1 }, 0));
    const optional = headers.filter(([, , isRequired]) => !isRequired).map(([name]) => name);
    expect(own.filter((name) => !unsigned.includes(name))).toEqual(optional);
  });
});

describe('The body of an event', () => {
  const moneyRequest = {
    ...{
      accountId: 'acme/live' as const,
      referenceId: 'AB12cd34',
      requestId: 'req_1',
      userReferenceId: 'u-1',
    },
    ...{ amount: '1500.50', currency: 'MXN', status: 'pending' as const, statusDetails: 'AwaitingPayment' },
    ...{ waLink: '', landingLink: 'https://pay.acme.test/r?ref=AB12cd34', createdAt: AT, updatedAt: AT },
  };

  test('keeps the digits of amounts, the order of the documents, and no whole account or card number', () => {
    const requestData = {
      ...{ payoutMethod: 'card', card: { number: '4111111111111111', nameOnCard: 'ANA' } },
      bankAccount: { accountNumber: '032180000118359719' },
    };
    expect(serializeEnvelope(OPERATION_CREATED.of({ ...moneyRequest, requestData }), AT)).toBe(
      '{"event":"operation_created","data":{"partnerId":"acme","referenceId":"AB12cd34","id":"AB12cd34",' +
        '"userReferenceId":"u-1","amount":1500.50,"currency":"MXN","status":"pending","statusDetails":"AwaitingPayment",' +
        '"waLink":"","landingLink":"https://pay.acme.test/r?ref=AB12cd34","requestData":{"payoutMethod":"card",' +
        '"card":{"number":"************1111","nameOnCard":"ANA"},"bankAccount":{"accountNumber":"**************9719"}},' +
        '"createdAt":"2026-11-21T08:00:00.000Z","updatedAt":"2026-11-21T08:00:00.000Z"},' +
        '"timestamp":"2026-11-21T08:00:00.000Z"}',
    );
  });

  test('leaves out an operation and a reference that are absent', () => {
    const changed = { ...moneyRequest, requestData: {}, previousStatus: 'processing' as const };
    const { data } = STATUS_EVENTS.rejected.of({ ...changed, status: 'rejected' });
    expect(Object.keys(data).join()).toBe(
      'partnerId,referenceId,id,requestId,userReferenceId,amount,currency,status,previousStatus,statusDetails,createdAt,updatedAt',
    );
    const call = { partnerId: 'acme', referenceId: undefined, stage: 'create' as const, httpStatus: 422 };
    expect(OPERATION_ERROR.of({ ...call, code: 'VALIDATION_FAILED', message: 'm' }).data).toEqual({
      ...{ partnerId: 'acme', stage: 'create', httpStatus: 422, code: 'VALIDATION_FAILED', message: 'm' },
    });
  });

  test('has a code for a failed atomic call only', () => {
    const call = { phase: 'REQUEST_MONEY' as const, correlationId: 'c', userId: 'u', endedAt: AT };
    expect(JSON.stringify(REQUEST_MONEY_FULL_OUTCOME.body({ ...call, error: undefined }))).toBe(
      '{"eventType":"request_money_full_outcome","status":"Accepted","reason":"Request created","phase":"REQUEST_MONEY",' +
        '"correlationId":"c","operationId":"c","userId":"u","timestamp":"2026-11-21T08:00:00.000Z"}',
    );
  });

  test('is that of a test whatever the name of the test', () => {
    const validate = ajv.compile(TEST.schema);
    const body = (event: string) => ({ event, data: TEST.data('acme/live'), timestamp: AT.toISOString() });
    expect(TEST_NAMES.filter((name) => !validate(body(name)))).toEqual([]);
    expect(TEST_NAMES).toEqual(['test', ...SUBSCRIBABLE_EVENTS]);
    expect(validate(body('request_money_full_outcome'))).toBe(false);
  });
});

/** The paths of the objects in a body. */
function objectsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  return isRecord(value)
    ? [path, ...Object.entries(value).flatMap(([key, inner]) => objectsIn(inner, [...path, key]))]
    : [];
}

/** A copy with one more member in the object at a path. */
function withMember(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (!isRecord(value)) {
    throw new TypeError('There is no such object');
  }
  return key === undefined ? { ...value, more: 1 } : { ...value, [key]: withMember(value[key], rest) };
}
