import { describe, expect, test } from '@jest/globals';
import { LosslessNumber } from 'lossless-json';
import { toDeliveries } from './publisher.ts';

const AT = new Date('2026-11-21T08:00:00.000Z');
const TENANT = {
  accountId: 'acme/sandbox' as const,
  webhookUrl: 'https://hook.acme.test',
  webhookSecret: 'whsec_acme_0001',
  webhookEvents: ['operation_created', 'operation_error'],
  webhookEventVersion: 1,
};
const EVENTS = [
  { event: 'operation_created', data: { partnerId: 'acme', amount: new LosslessNumber('10.10') } },
  { event: 'request_money.created', data: { partnerId: 'acme' } },
];

describe('deliveries of events (document 2, "Envelope" and "Delivery rules")', () => {
  test('are those that the tenant wants, in the envelope, with the URL and secret of now', () => {
    expect(toDeliveries(TENANT, EVENTS, AT)).toEqual([
      {
        accountId: 'acme/sandbox',
        event: 'operation_created',
        scheme: 'request_money',
        endpointId: 'first',
        url: 'https://hook.acme.test',
        secret: 'whsec_acme_0001',
        body: '{"event":"operation_created","data":{"partnerId":"acme","amount":10.10},"timestamp":"2026-11-21T08:00:00.000Z"}',
        createdAt: AT,
      },
    ]);
  });

  test.each([
    ['an empty URL', { ...TENANT, webhookUrl: '' }],
    [
      'no URL',
      { accountId: 'acme/sandbox' as const, webhookEvents: TENANT.webhookEvents, webhookEventVersion: 1 },
    ],
    ['no event that is wanted', { ...TENANT, webhookEvents: [] }],
  ])('are none with %s', (_what, tenant) => {
    expect(toDeliveries(tenant, EVENTS, AT)).toEqual([]);
  });

  test('go to each further endpoint whose filter has the event, with its own secret, also without a first one', () => {
    const until = new Date('2026-11-22T08:00:00.000Z');
    const former = [{ secret: 'whsec_old', until }];
    const endpoint = (url: string, more: object) => ({
      ...{ id: url, endpoint: url, url, eventVersion: 1, createdAt: AT },
      ...{ secret: `whsec_${url}`, formerSecrets: [] },
      ...more,
    });
    const tenant = {
      ...TENANT,
      webhookFormerSecrets: former,
      webhookEndpoints: [
        endpoint('https://all.acme.test', {}),
        endpoint('https://one.acme.test', { events: ['request_money.created'], formerSecrets: former }),
        endpoint('https://none.acme.test', { events: [] }),
      ],
    };
    const sent = (to: typeof tenant) =>
      toDeliveries(to, EVENTS, AT).map(({ event, url, secret, formerSecrets }) => [
        event,
        url,
        secret,
        formerSecrets,
      ]);
    const further = [
      ['operation_created', 'https://all.acme.test', 'whsec_https://all.acme.test', undefined],
      ['request_money.created', 'https://all.acme.test', 'whsec_https://all.acme.test', undefined],
      ['request_money.created', 'https://one.acme.test', 'whsec_https://one.acme.test', former],
    ];
    expect(sent(tenant)).toEqual([
      ['operation_created', 'https://hook.acme.test', 'whsec_acme_0001', former],
      ...further,
    ]);
    expect(sent({ ...tenant, webhookUrl: '' })).toEqual(further);
    expect(new Set(toDeliveries(tenant, EVENTS.slice(0, 1), AT).map(({ body }) => body)).size).toBe(1);
  });

  test('go once to a URL that is the first and a further one, signed by the first secret', () => {
    const further = { id: 'we_1', endpoint: 'e', secret: 'other-secret', formerSecrets: [] };
    const same = { ...further, url: TENANT.webhookUrl, eventVersion: 1, createdAt: AT };
    const tenant = { ...TENANT, webhookEndpoints: [same] };
    expect(toDeliveries(tenant, EVENTS, AT).map(({ event, secret }) => [event, secret])).toEqual([
      ['operation_created', 'whsec_acme_0001'],
      ['request_money.created', 'other-secret'],
    ]);
  });

  test('are in order by the reference that they are about, for a tenant that wants it', () => {
    const events = [
      { event: 'operation_created', data: { partnerId: 'acme', referenceId: 'R-1' } },
      { event: 'operation_error', data: { partnerId: 'acme' } },
    ];
    const entities = (webhookOrdering?: 'NONE' | 'PER_ENTITY') =>
      toDeliveries({ ...TENANT, ...(webhookOrdering && { webhookOrdering }) }, events, AT).map(
        ({ entity }) => entity,
      );
    expect(entities('PER_ENTITY')).toEqual(['reference|R-1', undefined]);
    expect(entities('NONE')).toEqual([undefined, undefined]);
    expect(entities()).toEqual([undefined, undefined]);
  });

  test('are of events that the catalogue has', () => {
    const tenant = { ...TENANT, webhookEvents: ['operation_paused'] };
    expect(() => toDeliveries(tenant, [{ event: 'operation_paused', data: {} }], AT)).toThrow(
      'The catalogue has no event operation_paused',
    );
  });

  test('have no secret when the tenant has none', () => {
    const { webhookSecret: _, ...tenant } = TENANT;
    expect(toDeliveries(tenant, EVENTS, AT)).toEqual([
      expect.not.objectContaining({ secret: expect.anything() }),
    ]);
  });
});
