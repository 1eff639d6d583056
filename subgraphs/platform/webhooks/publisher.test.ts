import { describe, expect, test } from '@jest/globals';
import { LosslessNumber } from 'lossless-json';
import { toDeliveries } from './publisher.ts';

const AT = new Date('2026-11-21T08:00:00.000Z');
const TENANT = {
  tenantId: 'acme',
  webhookUrl: 'https://hook.acme.test',
  webhookSecret: 'whsec_acme_0001',
  webhookEvents: ['operation_created', 'operation_error'],
};
const EVENTS = [
  { event: 'operation_created', data: { partnerId: 'acme', amount: new LosslessNumber('10.10') } },
  { event: 'request_money.created', data: { partnerId: 'acme' } },
];

describe('deliveries of events (document 2, "Envelope" and "Delivery rules")', () => {
  test('are those that the tenant wants, in the envelope, with the URL and secret of now', () => {
    expect(toDeliveries(TENANT, EVENTS, AT)).toEqual([
      {
        tenantId: 'acme',
        event: 'operation_created',
        scheme: 'request_money',
        url: 'https://hook.acme.test',
        secret: 'whsec_acme_0001',
        body: '{"event":"operation_created","data":{"partnerId":"acme","amount":10.10},"timestamp":"2026-11-21T08:00:00.000Z"}',
        createdAt: AT,
      },
    ]);
  });

  test.each([
    ['an empty URL', { ...TENANT, webhookUrl: '' }],
    ['no URL', { tenantId: 'acme', webhookEvents: TENANT.webhookEvents }],
    ['no event that is wanted', { ...TENANT, webhookEvents: [] }],
  ])('are none with %s', (_what, tenant) => {
    expect(toDeliveries(tenant, EVENTS, AT)).toEqual([]);
  });

  test('have no secret when the tenant has none', () => {
    const { webhookSecret: _, ...tenant } = TENANT;
    expect(toDeliveries(tenant, EVENTS, AT)).toEqual([
      expect.not.objectContaining({ secret: expect.anything() }),
    ]);
  });
});
