import { expect, test } from '@jest/globals';
import { WebhookFailureResolver } from './failed-calls.ts';

const bodyOf = (data: object) => JSON.stringify({ event: 'x', data });
const failureOf = (event: string, body: string) =>
  // The cast: the rest of the webhook is not read.
  new WebhookFailureResolver().failure({ event, body } as Parameters<WebhookFailureResolver['failure']>[0]);

test.each([
  ['OFAC_HIT', 'The requester is on a watch list.', 'CONTACT_SUPPORT'],
  ['USER_BLOCKED', 'The user is blocked.', 'UNBLOCK_USER'],
  ['VALIDATION_FAILED', 'The request is invalid.', 'CORRECT_AND_REQUEST_AGAIN'],
  [
    'IDENTITY_VALIDATOR_TIMEOUT',
    'Identity screening did not answer in time. Try again later.',
    'REPEAT_SAME_REQUEST',
  ],
  ['ANOTHER', null, null],
])(
  'a webhook about a call that failed with %s has the documented message and the next action',
  (code, message, nextAction) => {
    const body = bodyOf({ code, message: 'The text of the call' });
    for (const event of ['operation_error', 'request_money.failed']) {
      expect(failureOf(event, body)).toEqual({ code, message, nextAction });
    }
  },
);

test('a webhook about anything else, or without a code, has no failure', () => {
  expect(failureOf('operation_updated', bodyOf({ code: 'OFAC_HIT' }))).toBeNull();
  expect(failureOf('operation_error', bodyOf({}))).toBeNull();
  expect(failureOf('operation_error', 'no JSON')).toBeNull();
});
