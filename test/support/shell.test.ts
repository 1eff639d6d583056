import { expect, test } from '@jest/globals';
import { curlRequest } from './curl.ts';
import { readCommands } from './shell.ts';

test('commands are read as a shell reads them', () => {
  const text = `# first
npm ci
curl x:1/a?b=1 -H "X-API-Key: $KEY" \\
  -d '{
  "a": "$KEY"
}'   # comment
`;
  expect(readCommands(text, { KEY: 'k' })).toEqual([
    ['npm', 'ci'],
    ['curl', 'x:1/a?b=1', '-H', 'X-API-Key: k', '-d', '{\n  "a": "$KEY"\n}'],
  ]);
});

test.each(['a | b', 'a > b', 'echo $(b)', 'echo `b`', 'echo "$NONE"', "a 'open"])(
  'unknown syntax is an error: %s',
  (text) => {
    expect(() => readCommands(text, {})).toThrow();
  },
);

test('a curl command is a request', () => {
  expect(curlRequest(['localhost:4000/a?b', '-H', 'A: b:c', '-d', '{}'])).toEqual({
    method: 'POST',
    path: '/a?b',
    headers: { A: 'b:c' },
    body: '{}',
  });
  expect(curlRequest(['-X', 'PATCH', 'localhost:4000/a', '-d', 'x']).method).toBe('PATCH');
  expect(curlRequest(['-fO', 'localhost:4000/a'])).toEqual({ method: 'GET', path: '/a', headers: {} });
  expect(() => curlRequest(['--weird', 'localhost:4000/a'])).toThrow('--weird');
  expect(() => curlRequest(['example.com/a'])).toThrow('localhost:4000');
});
