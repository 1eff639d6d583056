import { expect, test } from '@jest/globals';
import mongoose, { type mongo } from 'mongoose';
import { waitForPrimary } from './primary.ts';
import { ensureReplicaSet } from './replica-set.ts';

type Reply = mongo.BSON.Document | Error;

/** Answers each command by name; the last answer of a list stays. */
function scripted(replies: Record<string, Reply[]>) {
  const sent: mongo.BSON.Document[] = [];
  const command = async (document: mongo.BSON.Document) => {
    const [name = ''] = Object.keys(document);
    const queue = replies[name] ?? [];
    const reply = queue.length > 1 ? queue.shift() : queue[0];
    if (name !== 'hello') {
      sent.push(document);
    }
    if (reply === undefined || reply instanceof Error) {
      throw reply ?? new Error(`unexpected command ${name}`);
    }
    return reply;
  };
  return { admin: { command }, sent };
}

const already = new mongoose.mongo.MongoServerError({ message: 'already initialized', code: 23 });
const primary = { isWritablePrimary: true };
const config = {
  _id: 'remitgraph',
  version: 4,
  term: 2,
  members: [{ _id: 0, host: '127.0.0.1:1111', priority: 1 }],
  settings: { chainingAllowed: true },
};

test('new data: a set of one is made, and its election awaited', async () => {
  const { admin, sent } = scripted({
    replSetInitiate: [{ ok: 1 }],
    hello: [{ isWritablePrimary: false }, new mongoose.mongo.MongoNetworkError('closed'), primary],
  });
  await ensureReplicaSet(admin, '127.0.0.1:2222');
  expect(sent).toEqual([
    { replSetInitiate: { _id: 'remitgraph', members: [{ _id: 0, host: '127.0.0.1:2222' }] } },
  ]);
});

test('data of an earlier start on another port: the member is moved, the rest of the configuration kept', async () => {
  const { admin, sent } = scripted({
    replSetInitiate: [already],
    replSetGetConfig: [{ config }],
    replSetReconfig: [{ ok: 1 }],
    hello: [primary],
  });
  await ensureReplicaSet(admin, '127.0.0.1:2222');
  expect(sent.at(-1)).toEqual({
    replSetReconfig: {
      ...config,
      version: 5,
      members: [{ _id: 0, host: '127.0.0.1:2222', priority: 1 }],
    },
    force: true,
  });
});

test('data of an earlier start on the same port is left alone', async () => {
  const { admin, sent } = scripted({
    replSetInitiate: [already],
    replSetGetConfig: [{ config }],
    hello: [primary],
  });
  await ensureReplicaSet(admin, '127.0.0.1:1111');
  expect(sent.map((command) => Object.keys(command)[0])).toEqual(['replSetInitiate', 'replSetGetConfig']);
});

test('any other failure is not hidden', async () => {
  const notAllowed = new mongoose.mongo.MongoServerError({ message: 'not allowed', code: 13 });
  const { admin } = scripted({ replSetInitiate: [notAllowed] });
  await expect(ensureReplicaSet(admin, '127.0.0.1:1')).rejects.toThrow('not allowed');
});

test('a server that stays a secondary is a failure', async () => {
  const { admin } = scripted({ hello: [{ isWritablePrimary: false }] });
  await expect(waitForPrimary(admin, 100)).rejects.toThrow(
    /did not become a primary within 0\.1 s: .*secondary/,
  );
});
