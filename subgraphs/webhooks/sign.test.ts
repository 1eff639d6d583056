import { describe, expect, test } from '@jest/globals';
import { productVersion } from '../kernel/product-version.ts';
import { type Signable, signedHeaders } from './sign.ts';

const T = 1795248000;
const ID = '0190b2f4-6d0e-7c3a-9d52-4a1f0c9e7b11';

// Decisions, section 6: "Signatures, all over exactly these bytes".
const REQUEST_MONEY: Signable = {
  scheme: 'request_money',
  event: 'operation_created',
  deliveryId: ID,
  secret: 'whsec_acme_0001',
  at: T,
  body: Buffer.from(
    '{"event":"operation_created","data":{"partnerId":"acme","referenceId":"AB12cd34"},"timestamp":"2026-11-21T08:00:00.000Z"}',
  ),
};
const OUTCOME: Signable = {
  scheme: 'outcome',
  event: 'request_money_full_outcome',
  deliveryId: ID,
  secret: 'shared_acme_0001',
  at: T,
  body: Buffer.from(
    '{"eventType":"request_money_full_outcome","status":"Accepted","reason":"Request created","phase":"REQUEST_MONEY","correlationId":"corr-1","operationId":"corr-1","userId":"u1","timestamp":"2026-11-21T08:00:00.000Z"}',
  ),
};
const PARTNER: Signable = {
  scheme: 'partner',
  event: 'user.data_request',
  deliveryId: ID,
  secret: 'whsec_acme_0001',
  at: T,
  body: Buffer.from(
    '{"event":"user.data_request","data":{"dataRequestId":"dr_1","referenceId":"ref-1","linkId":"l_1","fields":["dob"]},"timestamp":"2026-11-21T08:00:00.000Z"}',
  ),
};
const SIGNATURE = 't=1795248000,v1=18481de62457a4a013689f59fc1e370ed0c479d81e96e0849a898f730aa042f9';

const USER_AGENT = `remitgraph/${productVersion()}`;

describe('signedHeaders', () => {
  test("document 2's headers, known answer", () => {
    expect(signedHeaders(REQUEST_MONEY)).toEqual({
      'Content-Type': 'application/json',
      'User-Agent': USER_AGENT,
      'X-Webhook-Event': 'operation_created',
      'X-Webhook-Delivery-Id': ID,
      'X-Webhook-Signature': SIGNATURE,
    });
  });

  test("document 3's headers, known answer", () => {
    expect(signedHeaders(PARTNER)).toEqual({
      'Content-Type': 'application/json',
      'User-Agent': USER_AGENT,
      'X-RAAS-Timestamp': '1795248000',
      'X-RAAS-Event': 'user.data_request',
      'X-Webhook-Delivery-Id': ID,
      'X-RAAS-Signature': '48457b3d19d93b2ce4f420a9eac99f1403fffbe8ef0309cfdd07f59a983905a0',
    });
  });

  test("the outcome webhook's headers, known answer", () => {
    expect(signedHeaders(OUTCOME)).toEqual({
      'Content-Type': 'application/json',
      'User-Agent': USER_AGENT,
      'X-Webhook-Delivery-Id': ID,
      'x-raas-signature': 'SLp1ijuqpIYsGSeCZuNy80M55YAZ3I7SFmeoK548JIM=',
    });
  });

  test.each([
    ['X-Webhook-Signature', REQUEST_MONEY],
    ['X-RAAS-Signature', PARTNER],
    ['x-raas-signature', OUTCOME],
  ])('leaves %s out when there is no secret', (name, signable) => {
    expect(Object.keys(signedHeaders({ ...signable, secret: undefined }))).not.toContain(name);
    expect(Object.keys(signedHeaders({ ...signable, secret: '' }))).not.toContain(name);
  });

  test('while replaced secrets still sign, document 2 has a v1 for each, the new one first; known answer', () => {
    const overlapping = {
      ...REQUEST_MONEY,
      secret: 'whsec_acme_0003',
      formerSecrets: ['whsec_acme_0002', 'whsec_acme_0001'],
    };
    expect(signedHeaders(overlapping)['X-Webhook-Signature']).toBe(
      [
        't=1795248000',
        'v1=f3686994c483fddbeeff3eb7ec7f2cebe3a4d0bd7a9f3481b18fe5344f13d8e9',
        'v1=3934007aa74ac9ed818d6fdf879471c66b66b7853edc8e08d58a893ce9271f67',
        'v1=18481de62457a4a013689f59fc1e370ed0c479d81e96e0849a898f730aa042f9',
      ].join(','),
    );
  });

  test.each([
    ['X-RAAS-Signature', PARTNER],
    ['x-raas-signature', OUTCOME],
  ])("%s holds one signature, the new secret's, whatever it has replaced", (_name, signable) => {
    const formerSecrets = ['whsec_acme_0000'];
    expect(signedHeaders({ ...signable, formerSecrets })).toEqual(signedHeaders(signable));
  });

  test('without a secret of now no former one signs', () => {
    const headers = signedHeaders({
      ...REQUEST_MONEY,
      secret: undefined,
      formerSecrets: ['whsec_acme_0000'],
    });
    expect(headers).not.toHaveProperty('X-Webhook-Signature');
  });

  test('signs bytes, not text: a byte that is no UTF-8 changes the signature', () => {
    const headers = (byte: number) => signedHeaders({ ...REQUEST_MONEY, body: Buffer.from([byte]) });
    expect(headers(0xfe)).not.toEqual(headers(0xff));
  });
});
