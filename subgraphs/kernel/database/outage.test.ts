import { describe, expect, test } from '@jest/globals';
import mongoose, { mongo } from 'mongoose';
import { DatabaseAwayError, isOutage } from './outage.ts';

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });
const named = (name: string) => Object.assign(new Error('of the driver'), { name });

describe('the database is away', () => {
  test.each<[string, Error]>([
    ['it does not answer', new DatabaseAwayError()],
    ['a connection was lost', new mongo.MongoNetworkError('connection 7 closed')],
    [
      'a bulk write has lost its connection',
      new mongo.MongoBulkWriteError(
        new mongo.MongoNetworkError('read ECONNRESET'),
        {} as mongo.BulkWriteResult,
      ),
    ],
    ['there is no connection', named('MongoNotConnectedError')],
    ['this process closes its connections', named('MongoClientClosedError')],
    ['a command was written to a connection that has ended', withCode('ended by the other party', 'EPIPE')],
    ['a connection was reset while a command waited to be written', withCode('read', 'ECONNRESET')],
    ['it is no primary any more', new mongo.MongoServerError({ message: 'not primary', code: 10_107 })],
    [
      'it waited too long for its members',
      new mongo.MongoServerError({ message: 'operation exceeded time limit', code: 262 }),
    ],
    [
      'it waited too long for another server',
      new mongo.MongoServerError({ message: 'network interface exceeded time limit', code: 202 }),
    ],
    [
      'mongoose has waited in vain',
      new mongoose.Error('Operation `a.find()` buffering timed out after 9 ms'),
    ],
    ['it is the cause of another error', new Error('ours', { cause: withCode('write EPIPE', 'EPIPE') })],
  ])('when %s', (_when, error) => {
    expect(isOutage(error)).toBe(true);
  });
});

describe('the database is there', () => {
  test.each<[string, unknown]>([
    ['it rejects a write', new mongo.MongoServerError({ message: 'E11000', code: 11_000 })],
    ['a command is no good', new mongo.MongoServerError({ message: 'unknown operator', code: 2 })],
    [
      'it rejects one of many writes',
      new mongo.MongoBulkWriteError(
        { message: 'E11000', code: 11_000, writeErrors: [] },
        {} as mongo.BulkWriteResult,
      ),
    ],
    ['a bug is ours', new TypeError('undefined is not a function')],
    ['a file is missing', withCode('no such file', 'ENOENT')],
    ['no error was thrown', { code: 'EPIPE' }],
  ])('when %s', (_when, error) => {
    expect(isOutage(error)).toBe(false);
  });
});
