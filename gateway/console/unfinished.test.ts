import { expect, test } from '@jest/globals';
import { isUnfinished, type UnfinishedPart } from './unfinished.ts';

const AT = '2026-11-21T08:00:00.000Z';
const webhook = (deliveryId: string, webhookStatus: 'PENDING' | 'DELIVERED' | 'DEAD_LETTERED') =>
  ({
    __typename: 'TimelineWebhook',
    id: `${deliveryId} ${webhookStatus}`,
    at: AT,
    deliveryId,
    event: 'operation_created',
    webhookStatus,
    errorClass: null,
  }) as const;
const change = (subject: 'REMITTANCE' | 'REQUEST_MONEY', status: string) =>
  ({
    __typename: 'TimelineStatusChange',
    id: `${subject} ${status}`,
    at: AT,
    subject,
    subjectId: 'one',
    previousStatus: null,
    status,
    statusDetails: null,
  }) as const;
const problem = (nextAction: 'WAIT' | 'MEND_ENDPOINT_AND_REPLAY') =>
  ({ step: 'CIP', code: null, message: 'No answer.', nextAction, at: AT, nextAttemptAt: null }) as const;

const part = (fields: Partial<UnfinishedPart>): UnfinishedPart => ({
  nodes: [],
  problems: [],
  pageInfo: { hasNextPage: false },
  ...fields,
});

test.each<[string, boolean, Partial<UnfinishedPart>]>([
  ['nothing', false, {}],
  ['a webhook that was stored', true, { nodes: [webhook('a', 'PENDING')] }],
  ['one that was delivered', false, { nodes: [webhook('a', 'PENDING'), webhook('a', 'DELIVERED')] }],
  [
    'one of two that was given up',
    true,
    { nodes: [webhook('a', 'PENDING'), webhook('b', 'PENDING'), webhook('a', 'DEAD_LETTERED')] },
  ],
  ['one that is sent again', true, { nodes: [webhook('a', 'DEAD_LETTERED'), webhook('a', 'PENDING')] }],
  ['an atomic call that is carried on', true, { nodes: [change('REMITTANCE', 'IN_PROGRESS')] }],
  [
    'one that succeeded',
    false,
    { nodes: [change('REMITTANCE', 'IN_PROGRESS'), change('REMITTANCE', 'SUCCEEDED')] },
  ],
  ['a money request that waits for its payer', false, { nodes: [change('REQUEST_MONEY', 'PENDING')] }],
  [
    'an older page, which may lack the end',
    false,
    { nodes: [webhook('a', 'PENDING')], pageInfo: { hasNextPage: true } },
  ],
  ['a step that is tried again', true, { problems: [problem('WAIT')], pageInfo: { hasNextPage: true } }],
  ['a step that was given up', false, { problems: [problem('MEND_ENDPOINT_AND_REPLAY')] }],
])('with %s there may be attempts to come: %p', (_name, isExpected, fields) => {
  expect(isUnfinished(part(fields))).toBe(isExpected);
});
