import { subscribe } from 'node:diagnostics_channel';
import type { Connection, mongo } from 'mongoose';

/** The steps of an attempt besides commands, by the channel of undici that reports each. */
const POST_POINTS = {
  'undici:request:create': 'post begun',
  'undici:request:bodySent': 'post sent',
  'undici:request:headers': 'post answered',
  'undici:request:trailers': 'post ended',
} as const;

const DELIVERIES = 'webhookDeliveries';

/** The events of a process's commands. */
interface CommandListener {
  /** Such as `before claim look` and `after record commit`. `before`: the command has not left; `after`: the store has answered. */
  reach(point: string): void;
  /** A transaction begins in the session of this id, in hexadecimal. */
  inTransaction(session: string): void;
  /** Deliveries are about to be leased, by a claim or by the transaction that stores them. */
  leases(deliveryIds: readonly string[]): void;
}

/** Reports each command that this process sends for deliveries. Its connection must monitor commands. */
export function followCommands(connection: Connection, listener: CommandListener): void {
  const names = new Map<number, string>();
  const transactions: TransactionNames = new Map();
  const client = connection.getClient();
  client.on('commandStarted', ({ requestId, command }) => {
    const name = nameOf(command, transactions);
    if (command.startTransaction === true) {
      listener.inTransaction(sessionOf(command));
    }
    const leased = leasedBy(command);
    if (leased.length > 0) {
      listener.leases(leased);
    }
    if (name !== undefined) {
      names.set(requestId, name);
      listener.reach(`before ${name}`);
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
      listener.reach(`after ${name}`);
    }
  });
  client.on('commandFailed', end);
}

/**
 * Reports the steps of each POST that this process makes.
 * @param begun is called with the delivery's id before `post begun` is reported
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

/** The purpose of a transaction: it stores deliveries, claims some, or records attempts. */
type TransactionKind = 'store' | 'claim' | 'record';

/** By session and number, from its first write of deliveries on. */
type TransactionNames = Map<string, TransactionKind>;

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
  const key = `${sessionOf(command)} ${command.txnNumber}`;
  const known = transactions.get(key);
  if (command.commitTransaction !== undefined) {
    return known && `${known} commit`;
  }
  const kind = known ?? kindOf(writesOf(command));
  if (known || kind === undefined) {
    return undefined;
  }
  transactions.set(key, kind);
  return kind === 'claim' ? 'claim lease' : `${kind} write`;
}

function kindOf(writes: readonly mongo.Document[]): TransactionKind | undefined {
  if (writes.length === 0) {
    return undefined;
  }
  if (writes.some(({ document }) => document !== undefined)) {
    return 'store';
  }
  return writes.some(({ update }) => update.$inc?.claims !== undefined) ? 'claim' : 'record';
}

/** The writes of a command to deliveries: a `document` that is stored, or a `filter` and an `update`. */
function writesOf(command: mongo.Document): mongo.Document[] {
  if (command.bulkWrite !== undefined) {
    const place = command.nsInfo.findIndex(({ ns }: mongo.Document) => ns.endsWith(`.${DELIVERIES}`));
    return command.ops.flatMap((op: mongo.Document) => {
      const { document, filter, updateMods: update } = op;
      return op.insert === place || op.update === place ? [{ document, filter, update }] : [];
    });
  }
  if (command.insert === DELIVERIES) {
    return command.documents.map((document: mongo.Document) => ({ document }));
  }
  return command.update === DELIVERIES
    ? command.updates.map(({ q: filter, u: update }: mongo.Document) => ({ filter, update }))
    : [];
}

/** Ids of the deliveries that a command gives a lease. */
function leasedBy(command: mongo.Document): string[] {
  return writesOf(command).flatMap(({ document, filter, update }) => {
    const leased = document ?? update.$set;
    return leased?.leaseToken === undefined ? [] : [String(document?._id ?? filter._id)];
  });
}

function sessionOf({ lsid }: mongo.Document): string {
  return String(lsid?.id?.toString('hex'));
}
