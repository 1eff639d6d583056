import type { Statement } from './record.ts';

/** A query that the product sends for calls, or again and again in the background. */
interface HotQuery {
  readonly name: string;
  matches(statement: Statement): boolean;
}

/** Collections with few documents, whatever the traffic, and the reason. They may be read as a whole, and sorted. */
export const SMALL_COLLECTIONS: Readonly<Record<string, string>> = {
  agendaJobs: 'one document for each recurring job',
  eventHeads: 'a document for each partition',
  eventLog: 'one document',
  fxRates: 'one document for each pair of currencies',
  routes: 'one document for each route',
  sandboxes: 'one document for each partner whose sandbox has a clock of its own',
  tenants: 'two documents for each partner',
};

/** Hot queries. A load that does not send one of them has not tried the product. */
export const HOT_QUERIES: readonly HotQuery[] = [
  hot('money request by reference', 'moneyRequests', 'find', ['accountId', 'referenceId']),
  hot('money request by id', 'moneyRequests', 'find', ['_id', 'accountId']),
  hot('list by account and time', 'moneyRequests', 'find', ['accountId'], ['createdAt', '_id']),
  hot('list by status and time', 'moneyRequests', 'find', ['accountId', 'status'], ['createdAt', '_id']),
  hot('idempotency key', 'idempotencyKeys', 'find', ['_id']),
  hot('API key', 'apiKeys', 'find', ['hash']),
  hot('user by reference', 'users', 'find', ['accountId', 'referenceId']),
  hot('operation by id', 'operations', 'find', ['accountId', 'operationId']),
  hot('operations by account and time', 'operations', 'find', ['accountId'], ['createdAt', '_id']),
  hot('remittances by account and time', 'remittances', 'find', ['accountId'], ['createdAt', '_id']),
  hot('steps that are due', 'remittances', 'find', ['isOpen', 'nextAttemptAt'], ['nextAttemptAt']),
  hot('claim of a webhook', 'webhookDeliveries', 'update', ['_id', 'accountId', 'status', 'nextAttemptAt']),
  hot(
    'webhooks by account and time',
    'webhookDeliveries',
    'find',
    ['accountId', 'status'],
    ['createdAt', '_id'],
  ),
  hot('events to number', 'events', 'find', ['pending'], ['occurredAt', '_id']),
  hot('events after a number', 'events', 'find', ['accountId', 'entity', 'seq'], ['seq']),
];

/** @param fields of the filter, or of each alternative: reads that calls begin together are sent as one, with `$or` */
function hot(
  name: string,
  collection: string,
  command: string,
  fields: readonly string[],
  order: readonly string[] = [],
): HotQuery {
  const forms = [fields.toSorted().join(), `$or(${fields.join(', ')})`];
  return {
    name,
    matches: (statement) =>
      statement.collection === collection &&
      statement.command === command &&
      forms.includes(statement.fields.toSorted().join()) &&
      Object.keys(statement.sort).join() === order.join(),
  };
}
