import { expect, test } from '@jest/globals';
import { readArguments } from './arguments.ts';

const KEY = 'raas_sandbox_acme_half';
const TOKEN = 'a-token-of-agents';

test('the command line names the server and the transport', () => {
  expect(readArguments([], { KEY })).toEqual({
    url: new URL('http://localhost:4000'),
    key: KEY,
    withAnswers: false,
    http: undefined,
  });
  const all = ['--url', 'https://api.test/remit', '--answers', '--port', '0'];
  expect(readArguments(all, { KEY, TOKEN })).toEqual({
    url: new URL('https://api.test/remit'),
    key: KEY,
    withAnswers: true,
    http: { port: 0, token: TOKEN },
  });
});

test('all issues are reported at once', () => {
  expect(readArguments(['--url', 'ftp://x', '--port', '65536'], { TOKEN: 'short' })).toEqual({
    issues: [
      expect.stringContaining('--url'),
      expect.stringContaining('KEY'),
      expect.stringContaining('--port takes'),
      expect.stringContaining('--port needs TOKEN'),
    ],
  });
  expect(readArguments(['--key', KEY], { KEY })).toEqual({ issues: [expect.stringContaining('--key')] });
  expect(readArguments(['--help'], {})).toEqual({ issues: [] });
});
