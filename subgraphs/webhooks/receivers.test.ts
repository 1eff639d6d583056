import { expect, test } from '@jest/globals';
import { operationalEventsSchema } from '../partners/tenants/operational-events.ts';
import { operationalReceiver, receiverOf, receiversOf, targetOf } from './receivers.ts';

const URL_OF_OPERATIONS = 'https://ops.acme.test/in';
const FORMER = [{ secret: 'whsec_old', until: new Date('2026-11-22T08:00:00.000Z') }];
const TENANT = {
  accountId: 'acme/sandbox' as const,
  webhookUrl: 'https://hook.acme.test/',
  webhookSecret: 'whsec_acme_0001',
  webhookFormerSecrets: FORMER,
  webhookSignatureScheme: 'STANDARD_WEBHOOKS' as const,
  webhookHeaders: [{ name: 'X-Key', value: 'k3y' }],
  webhookEvents: ['operation_created'],
  webhookEventVersion: 1,
  operationalEvents: operationalEventsSchema.parse({ url: URL_OF_OPERATIONS }),
};
const TARGET = {
  url: URL_OF_OPERATIONS,
  secret: 'whsec_acme_0001',
  formerSecrets: FORMER,
  signatureScheme: 'STANDARD_WEBHOOKS',
};

test('the receiver of operational events has the version, the secrets and the scheme of the first endpoint, and none of its headers', () => {
  const tenant = { ...TENANT, webhookEventVersion: 2 };
  expect(operationalReceiver(tenant)).toEqual({ endpointId: 'operational', eventVersion: 2, ...TARGET });
});

test('the receiver of operational events is found by its id, for tests and replays, and gets no other events', () => {
  expect(receiverOf(TENANT, 'operational')).toMatchObject(TARGET);
  expect(targetOf(TENANT, { scheme: 'request_money', endpointId: 'operational' })).toMatchObject(TARGET);
  expect(receiversOf(TENANT, 'operation_created').map(({ url }) => url)).toEqual(['https://hook.acme.test/']);
});

test('a partner without a URL for operational events has no such receiver, whatever addresses it has', () => {
  const operationalEvents = operationalEventsSchema.parse({ emails: ['ops@acme.test'] });
  expect(receiverOf({ ...TENANT, operationalEvents }, 'operational')).toBeUndefined();
});
