import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { snippetsOf } from './languages.ts';

const textOf = (example: string, language: string) =>
  String(snippetsOf(example).find((snippet) => snippet.language === language)?.text);

test('a call is written for fetch and for urllib', () => {
  const example = `curl localhost:4000/v1/a/$ID -H "X-API-Key: $KEY" -H 'content-type: a/json' -d '{\n  "a": 1\n}'`;
  expect(snippetsOf(example).map(({ language }) => language)).toEqual(['curl', 'JavaScript', 'Python']);
  expect(textOf(example, 'curl')).toBe(example);
  expect(
    textOf(example, 'JavaScript'),
  ).toBe(`const response = await fetch('http://localhost:4000/v1/a/' + process.env.ID, {
  method: 'POST',
  headers: {
    'X-API-Key': process.env.KEY,
    'content-type': 'a/json',
  },
  body: \`{
  "a": 1
}\`,
});
console.log(await response.text());`);
  expect(textOf(example, 'Python')).toContain(`request = Request(
    'http://localhost:4000/v1/a/' + os.environ['ID'],
    method='POST',
    headers={
        'X-API-Key': os.environ['KEY'],
        'content-type': 'a/json',
    },
    data='''{
  "a": 1
}'''.encode(),
)
`);
});

test.each([String.raw`{"a": "\"\n\\ $KEY"}`, '\n`$' + '{process.exit()}` \\', '"""\n\r\\r€\u2028'])(
  'fetch gets the bytes of the body of curl: %j',
  async (body) => {
    const calls: unknown[] = [];
    const text = textOf(
      `curl localhost:4000/a -H "Authorization: Bearer $KEY" -H 'content-type: x' -d '${body}'`,
      'JavaScript',
    );
    const fetch = (...call: unknown[]) => {
      calls.push(...call);
      return { text: () => '' };
    };
    const globals = { fetch, process: { env: { KEY: 'k' } }, console: { log: () => undefined } };
    await runInNewContext(`(async () => {\n${text}\n})()`, globals);
    expect(JSON.parse(JSON.stringify(calls))).toEqual([
      'http://localhost:4000/a',
      { method: 'POST', headers: { Authorization: 'Bearer k', 'content-type': 'x' }, body },
    ]);
  },
);

test.each([
  'npm ci',
  'curl localhost:4000/a\ncurl localhost:4000/b',
  'curl -N localhost:4000/a',
  'curl -fO localhost:4000/a',
])('other commands, several, event streams and files have no tabs: %j', (example) => {
  expect(snippetsOf(example)).toEqual([]);
});

test.each(['-u a:b', '| jq', '-d @file', '-H "A: $(b)"'])(
  'a call that is not read here is an error: %s',
  (rest) => {
    expect(() => snippetsOf(`curl localhost:4000/a ${rest}`)).toThrow();
  },
);
