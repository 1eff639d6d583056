import { describe, expect, test } from '@jest/globals';
import { readArguments } from './arguments.ts';

describe('the command line', () => {
  test('has defaults for everything except the supergraph', () => {
    expect(readArguments(['--supergraph', 's.graphql'])).toEqual({
      supergraph: 's.graphql',
      port: 4000,
      host: '127.0.0.1',
      timeoutMs: 30_000,
      silenceMs: 30_000,
      operationTimeoutMs: 60_000,
      forwardHeaders: [],
      subscriptions: {},
      defaultSubscriptions: { protocol: 'websocket' },
    });
  });

  test('sets everything', () => {
    const text =
      '--supergraph s --port 0 --host ::1 --timeout 5 --operation-timeout 7 --documents d --forward-header Authorization --forward-header x-tenant ' +
      '--subscription-silence 9 --subscriptions sse --subscriptions a=websocket --subscriptions b=wss://h/s --subscriptions c=http://h/s?a=b';
    expect(readArguments(text.split(' '))).toEqual({
      supergraph: 's',
      port: 0,
      host: '::1',
      timeoutMs: 5,
      silenceMs: 9,
      operationTimeoutMs: 7,
      documents: 'd',
      forwardHeaders: ['authorization', 'x-tenant'],
      subscriptions: {
        a: { protocol: 'websocket' },
        b: { protocol: 'websocket', url: 'wss://h/s' },
        c: { protocol: 'sse', url: 'http://h/s?a=b' },
      },
      defaultSubscriptions: { protocol: 'sse' },
    });
  });

  test.each([
    [[], '--supergraph is missing'],
    [['--supergraph', ''], '--supergraph is missing'],
    [['--supergraph', 's', '--documents', ''], '--documents must not be empty'],
    [['--supergraph'], 'argument missing'],
    [['--supergraph', 's', '--port', '70000'], '--port must be'],
    [['--supergraph', 's', '--port', '1e3'], '--port must be'],
    [['--supergraph', 's', '--port', ''], '--port must be'],
    [['--supergraph', 's', '--timeout', '0'], '--timeout must be'],
    [['--supergraph', 's', '--operation-timeout', '1s'], '--operation-timeout must be'],
    [['--supergraph', 's', '--host', ''], '--host must not'],
    [['--supergraph', 's', '--forward-header', 'a b'], 'name of a header'],
    [['--supergraph', 's', '--forward-header', 'Host'], 'cannot be host'],
    [['--supergraph', 's', '--subscriptions', 'ws://h/'], '--subscriptions must be'],
    [['--supergraph', 's', '--subscriptions', 'a=ftp://h/'], '--subscriptions must be'],
    [['--nope'], "'--nope'"],
    [['s.graphql'], 's.graphql'],
  ])('%j is rejected', (args, message) => {
    const read = readArguments(args);
    expect('issues' in read && read.issues.join(' ')).toContain(message);
  });

  test('reports all issues at once, and none for help', () => {
    expect(readArguments(['--port', 'x', '--host', ''])).toMatchObject({ issues: { length: 3 } });
    expect(readArguments(['-h'])).toEqual({ issues: [] });
  });
});
