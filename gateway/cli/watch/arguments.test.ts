import { expect, test } from '@jest/globals';
import { readArguments } from './arguments.ts';

const KEY = 'raas_sandbox_acme_full';

test('the command line names the money request, the server and the partner', () => {
  expect(readArguments(['--reference', 'AB12cd34'], KEY)).toEqual({
    reference: 'AB12cd34',
    tenant: undefined,
    url: new URL('http://localhost:4000'),
    json: false,
    key: KEY,
  });
  const all = ['--reference', 'AB12cd34', '--tenant', 'acme', '--url', 'https://api.test'];
  expect(readArguments(all, KEY)).toMatchObject({ tenant: 'acme', url: new URL('https://api.test') });
});

test('all issues are reported at once', () => {
  expect(readArguments(['--url', 'ftp://x'], undefined)).toEqual({
    issues: [
      expect.stringContaining('--reference'),
      expect.stringContaining('--url'),
      expect.stringContaining('KEY'),
    ],
  });
  expect(readArguments(['--key', KEY], KEY)).toEqual({ issues: [expect.stringContaining('--key')] });
  expect(readArguments(['--help'], undefined)).toEqual({ issues: [] });
});
