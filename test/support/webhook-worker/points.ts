import { subscribe } from 'node:diagnostics_channel';
import type { Connection, mongo } from 'mongoose';

/** What an attempt goes through besides commands, by the channel of undici that tells of it. */
const POST_POINTS = {
  'undici:request:create': 'post begun',
  'undici:request:bodySent': 'post sent',
  'undici:request:headers': 'post answered',
  'undici:request:trailers': 'post ended',
} as const;

const DELIVERIES = 'webhookDeliveries';

/**
 * Tells of each command that this process sends for deliveries, such as `before claim look` and `after record commit`.
 * `before`: the command has not left; `after`: the store has answered. Its connection must monitor commands.
 * @param inTransaction is called with the id of the session, in hexadecimal, before a transaction begins
 */
export function followCommands(
  connection: Connection,
  reach: (point: string) => void,
  inTransaction: (session: string) => void,
): void {
  const names = new Map<number, string>();
  const transactions = createTransactionNames();
  const client = connection.getClient();
  client.on('commandStarted', ({ requestId, command }) => {
    const name = nameOf(command, transactions);
    if (command.startTransaction === true) {
      inTransaction(sessionOf(command));
    }
    if (name !== undefined) {
      names.set(requestId, name);
      reach(`before ${name}`);
    }
  });
  const end = ({ requestId }: { requestId: number }) => {
    const name = names.get(requestId);
    names.delete(requestId);
    return name;
  };
  client.on('commandSucceeded', (event) => {
    const name = end(event);
    if (name !== undefined) {
      reach(`after ${name}`);
    }
  });
  client.on('commandFailed', end);
}

/**
 * Tells of the steps of each POST that this process makes.
 * @param begun is called with the delivery's id before `post begun` is told
 */
export function followPosts(reach: (point: string) => void, begun: (deliveryId: string) => void): void {
  for (const [channel, point] of Object.entries(POST_POINTS)) {
    subscribe(channel, (message) => {
      const { request } = message as { request: { headers: readonly string[] } };
      if (point === 'post begun') {
        begun(deliveryIdIn(request.headers));
      }
      reach(point);
    });
  }
}

/** Of the names and values of a request. @throws when it has no delivery id: undici has changed */
function deliveryIdIn(headers: readonly string[]): string {
  const value = headers[headers.indexOf('X-Webhook-Delivery-Id') + 1];
  if (value === undefined || headers.indexOf('X-Webhook-Delivery-Id') < 0) {
    throw new Error(`A request without a delivery id: ${JSON.stringify(headers)}`);
  }
  return value;
}

/** Whose transaction a command belongs to: the one that stores deliveries, or the one that records attempts. */
type TransactionKind = 'store' | 'record';

interface TransactionNames {
  begin(command: mongo.Document, kind: TransactionKind): void;
  of(command: mongo.Document): TransactionKind | undefined;
}

function createTransactionNames(): TransactionNames {
  const kinds = new Map<string, TransactionKind>();
  const keyOf = (command: mongo.Document) => `${sessionOf(command)} ${command.txnNumber}`;
  return {
    begin: (command, kind) => kinds.set(keyOf(command), kind),
    of: (command) => kinds.get(keyOf(command)),
  };
}

/** Such as `claim look`; undefined for commands that have nothing to do with deliveries. */
function nameOf(command: mongo.Document, transactions: TransactionNames): string | undefined {
  if (command.autocommit === false) {
    return nameInTransaction(command, transactions);
  }
  if (command.find === DELIVERIES) {
    return command.filter?.leaseToken === undefined ? 'claim look' : 'claim read';
  }
  return command.update === DELIVERIES ? 'claim lease' : undefined;
}

function nameInTransaction(command: mongo.Document, transactions: TransactionNames): string | undefined {
  if (command.startTransaction === true) {
    const isStore = command.insert === DELIVERIES || command.ops?.[0]?.insert !== undefined;
    transactions.begin(command, isStore ? 'store' : 'record');
  }
  const kind = transactions.of(command);
  if (command.commitTransaction !== undefined) {
    return kind && `${kind} commit`;
  }
  return command.startTransaction === true ? `${kind} write` : undefined;
}

function sessionOf({ lsid }: mongo.Document): string {
  return String(lsid?.id?.toString('hex'));
}
