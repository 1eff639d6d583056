import { type AccountId, tenantOf } from '../kernel/account.ts';
import { text } from '../kernel/json/json-schema.ts';
import { REQUEST_MONEY_FULL_OUTCOME } from './atomic-calls.ts';
import { USER_DATA_REQUEST } from './data-requests.ts';
import { envelopedEvent, type WebhookEvent } from './declare.ts';
import {
  OPERATION_CREATED,
  OPERATION_ERROR,
  OPERATION_UPDATED,
  REQUEST_MONEY_CREATED,
  REQUEST_MONEY_FAILED,
  STATUS_EVENTS,
} from './money-requests.ts';
import { OPERATIONAL_EVENTS } from './operational.ts';
import { STATEMENT_READY } from './statements.ts';

const OF_RECORDS: readonly WebhookEvent[] = [
  OPERATION_CREATED,
  OPERATION_UPDATED,
  OPERATION_ERROR,
  REQUEST_MONEY_CREATED,
  REQUEST_MONEY_FAILED,
  ...Object.values(STATUS_EVENTS),
  USER_DATA_REQUEST,
  STATEMENT_READY,
  REQUEST_MONEY_FULL_OUTCOME,
];

const namesOf = (events: readonly WebhookEvent[]) => events.map(({ name }) => name);

/** The names that an endpoint can choose, in the order in which they are listed. */
export const SUBSCRIBABLE_EVENTS: readonly string[] = namesOf(
  OF_RECORDS.filter(({ receivers }) => receivers !== 'statusHook'),
);

/** The names that the first endpoint gets when it chooses none (decisions, section 3). */
export const DEFAULT_EVENTS: readonly string[] = namesOf(OF_RECORDS.filter(({ isDefault }) => isDefault));

const TEST_NAME = 'test';

/** The names that a test of an endpoint can have; the first is its own. */
export const TEST_NAMES: readonly string[] = [TEST_NAME, ...SUBSCRIBABLE_EVENTS];

/** A test of an endpoint. Its data is the same whatever its name is. */
export const TEST = envelopedEvent<typeof TEST_NAME, AccountId>(
  {
    name: TEST_NAME,
    version: 1,
    document: 2,
    source: 'decisions, section 5, `sendTestWebhook`',
    schemaName: 'TestEvent',
    summary: 'A test of an endpoint',
    sentWhen:
      'Sent by `sendTestWebhook` to the endpoint that it names. The test may have the name of another event; its `data` is the same, and a test of `user.data_request` has the headers of document 3.',
    receivers: 'tested',
  },
  {
    partnerId: [{ ...text, description: 'Your partner id.' }, tenantOf],
    test: [{ const: true }, () => true],
  },
  'acme/sandbox',
  { enum: TEST_NAMES },
);

/** Every webhook that the product sends: the one list of events. */
export const WEBHOOK_EVENTS: readonly WebhookEvent[] = [...OF_RECORDS, ...OPERATIONAL_EVENTS, TEST];

/** The event with this name; undefined when there is none. @param events by default all */
export function webhookEventNamed(
  name: string,
  events: readonly WebhookEvent[] = WEBHOOK_EVENTS,
): WebhookEvent | undefined {
  return events.find((event) => event.name === name);
}
