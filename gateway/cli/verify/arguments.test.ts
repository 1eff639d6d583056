import { describe, expect, test } from '@jest/globals';
import { readArguments } from './arguments.ts';

const URI = 'mongodb://db.test:27017/?replicaSet=rs0';

describe('The command line of verify', () => {
  test('has a minute, 16 callers and no failover by default', () => {
    expect(readArguments(['--uri', URI], undefined)).toEqual({
      uri: URI,
      seconds: 60,
      callers: 16,
      failover: false,
      json: false,
    });
  });

  test('takes the URI of the environment, unless it names one', () => {
    expect(readArguments([], URI)).toMatchObject({ uri: URI });
    expect(readArguments(['--uri', 'mongodb+srv://other.test'], URI)).toMatchObject({
      uri: 'mongodb+srv://other.test',
    });
  });

  test.each([
    [[], /--uri is missing/],
    [['--uri', 'postgres://db.test'], /--uri must begin with mongodb/],
    [['--uri', URI, '--seconds', '0'], /--seconds must be a whole number from 1/],
    [['--uri', URI, '--seconds', 'ten'], /--seconds must be a whole number/],
    [['--uri', URI, '--callers', '5'], /--callers must be a whole number from 6/],
    [['--uri', URI, '--fast'], /--fast/],
  ])('rejects %j', (args, issue) => {
    expect(readArguments(args, undefined)).toEqual({ issues: [expect.stringMatching(issue)] });
  });

  test('reports all issues at once', () => {
    expect(readArguments(['--seconds', '0', '--callers', '0'], undefined)).toMatchObject({
      issues: { length: 3 },
    });
  });

  test('asks for help without an issue', () => {
    expect(readArguments(['--help'], undefined)).toEqual({ issues: [] });
  });
});
