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

test('a backslash stands for itself between double quotes, except before what has a meaning there', () => {
  expect(readCommands(String.raw`a "\d\$KEY\"" \$KEY '\d'`, { KEY: 'k' })).toEqual([
    ['a', String.raw`\d$KEY"`, '$KEY', String.raw`\d`],
  ]);
});

test.each(['a | b', 'a > b', 'echo $(b)', 'echo `b`', 'echo "$NONE"', 'echo "$"', 'echo "$(b)"', "a 'open"])(
  'unknown syntax is an error: %s',
  (text) => {
    expect(() => readCommands(text, {})).toThrow();
  },
);

test('a curl command is a request', () => {
  expect(curlRequest(['localhost:4000/a?b', '-H', 'Content-Type: b:c', '-d', '{}'])).toEqual({
    method: 'POST',
    path: '/a?b',
    headers: { 'Content-Type': 'b:c' },
    body: '{}',
  });
  expect(curlRequest(['-X', 'DELETE', 'localhost:4000/a']).method).toBe('DELETE');
  expect(curlRequest(['-fO', 'localhost:4000/a'])).toEqual({ method: 'GET', path: '/a', headers: {} });
  expect(() => curlRequest(['--weird', 'localhost:4000/a'])).toThrow('--weird');
  expect(() => curlRequest(['example.com/a'])).toThrow('localhost:4000');
});

test.each([
  [['-d', '@file', '-H', 'content-type: a']],
  [['-d', '1', '-d', '2', '-H', 'content-type: a']],
  [['-d', 'x']],
  [['-X', 'GET', '-d', 'x', '-H', 'content-type: a']],
  [['-H', 'a: 1', '-H', 'A: 2']],
  [['-H', 'a:']],
  [['-H', '@file']],
  [['-u', 'a:b']],
  [['localhost:4000/b']],
])('a call that curl would send in another way is an error: %j', (words) => {
  expect(() => curlRequest(['localhost:4000/a', ...words])).toThrow();
});
