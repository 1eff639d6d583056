import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { buildSchema } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';

/**
 * The other side of `npm run bench:subscriptions`, in a process of its own: graphql-ws and graphql-js with a publisher in memory.
 * No key, no store, no log of events, no limits, no graph of several subgraphs; its changes are lost with the process.
 *
 * Its environment: `PORT`. `POST /changes/{id}` publishes a change of an operation; `GET /subscribers` returns how many there are.
 */
const schema = buildSchema(`
  type Query { ready: Boolean }
  type Money { amount: String currency: String }
  type Operation { id: ID status: String statusDetails: String updatedAt: String recipient: Money }
  type Event {
    cursor: String occurredAt: String previousStatus: String status: String statusDetails: String operation: Operation
  }
  type Subscription { operationStatusChanged(operationId: ID!): Event }
`);

type Change = Readonly<Record<string, unknown>>;
type Listener = (change: Change) => void;
const topics = new Map<string, Set<Listener>>();

/** The changes of one operation from now on. */
function follow(operationId: string): AsyncIterableIterator<Change> {
  const waiting: Change[] = [];
  let take: ((item: IteratorResult<Change>) => void) | undefined;
  const listener: Listener = (value) => {
    if (take === undefined) {
      waiting.push(value);
    } else {
      take({ value, done: false });
      take = undefined;
    }
  };
  const listeners = topics.get(operationId) ?? new Set();
  topics.set(operationId, listeners.add(listener));
  return {
    next() {
      const value = waiting.shift();
      return value === undefined
        ? new Promise((resolve) => {
            take = resolve;
          })
        : Promise.resolve({ value, done: false });
    },
    return() {
      listeners.delete(listener);
      take?.({ value: undefined, done: true });
      return Promise.resolve({ value: undefined, done: true });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const roots = {
  subscription: {
    operationStatusChanged: ({ operationId }: { operationId: string }) => follow(operationId),
  },
};

function publish(operationId: string): void {
  const now = new Date().toISOString();
  const status = { status: 'ON_HOLD', statusDetails: 'OnHold' };
  const recipient = { amount: '20.1', currency: 'MXN' };
  const operation = { id: operationId, ...status, updatedAt: now, recipient };
  const event = {
    cursor: randomBytes(44).toString('base64url'),
    occurredAt: now,
    previousStatus: 'SENT',
    ...status,
    operation,
  };
  for (const listener of topics.get(operationId) ?? []) {
    listener({ operationStatusChanged: event });
  }
}

const server = createServer((request, response) => {
  const operationId = /^\/changes\/(.+)$/.exec(request.url ?? '')?.[1];
  if (operationId !== undefined) {
    publish(operationId);
  }
  response.end(String([...topics.values()].reduce((sum, { size }) => sum + size, 0)));
});
useServer({ schema, roots }, new WebSocketServer({ server, path: '/graphql' }));
server.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
