import { describe, expect, test } from '@jest/globals';
import { readArguments } from './arguments.ts';

describe('the command line', () => {
  test('sets everything', () => {
    const text = '--out certs --host pay.acme.test --host 10.0.0.7 --host *.acme.test --passphrase secret';
    expect(readArguments(text.split(' '))).toEqual({
      out: 'certs',
      hosts: ['pay.acme.test', '10.0.0.7', '*.acme.test'],
      passphrase: 'secret',
      json: false,
    });
  });

  test('creates a new passphrase each time if none is given', () => {
    const [one, two] = [readArguments(['--out', 'c']), readArguments(['--out', 'c'])];
    expect(one).toEqual({
      out: 'c',
      hosts: [],
      passphrase: expect.stringMatching(/^[\w-]{16}$/),
      json: false,
    });
    expect(one).not.toEqual(two);
  });

  test.each([
    [[], '--out is missing'],
    [['--out', 'c', '--host', 'a b'], '--host must be a DNS name'],
    [['--out', 'c', '--host', ''], '--host must be a DNS name'],
    [['--out', 'c', '--passphrase', 'säge'], '--passphrase must be'],
    [['--out', 'c', '--passphrase', ''], '--passphrase must be'],
    [['--in', 'c'], '--in'],
  ])('rejects %j', (args, issue) => {
    expect(readArguments(args)).toEqual({ issues: expect.arrayContaining([expect.stringContaining(issue)]) });
  });

  test('reads --help without an issue', () => {
    expect(readArguments(['-h'])).toEqual({ issues: [] });
  });
});
