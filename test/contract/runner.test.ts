import { describe, expect, test } from '@jest/globals';
import { readText } from './fixture.ts';
import { runCase, type Target } from './run-case.ts';

describe('The runner', () => {
  const [example] = readText('### A case\n> GET /x\n> A: b\n\n< 200\n{"a":1}\n', 'example');
  const answering = (text: string, headers: Record<string, string> = {}): Target => ({
    exchange: async () => ({
      status: 200,
      headers: {
        'content-type': 'application/json',
        'x-request-id': 'r',
        'content-length': String(text.length),
        etag: '"AAAAAAAAAAAAAAAAAAAAAA"',
        'ratelimit-policy': '"partner";q=3;w=60, "partner-all-keys";q=6;w=60',
        ratelimit: '"partner";r=2;t=60, "partner-all-keys";r=5;t=60',
        ...headers,
      },
      body: Buffer.from(text),
      text,
    }),
    receiver: { webhooks: [] } as never,
  });

  test('accepts the answers of the fixture', async () => {
    await expect(runCase(answering('{"a":1}'), example!)).resolves.toBeUndefined();
  });

  test('makes a call as often as given, and looks at each answer', async () => {
    const [often] = readText(
      '### A case\n> GET /x *3\n\n< 200\n< retry-after: <seconds>\n{"a":1}\n',
      'often',
    );
    expect(often!.steps).toHaveLength(3);
    const target = (after: string) => answering('{"a":1}', { 'retry-after': after });
    await expect(runCase(target('59'), often!)).resolves.toBeUndefined();
    await expect(runCase(target('61'), often!)).rejects.toThrow('retry-after is "61"');
  });

  test.each([
    ['another body', answering('{"a":2}'), 'Call 1, GET /x: The text differs from character 5'],
    [
      'a charset',
      answering('{"a":1}', { 'content-type': 'application/json; charset=utf-8' }),
      'content-type is',
    ],
    ['no request id', answering('{"a":1}', { 'x-request-id': '' }), 'there is no x-request-id'],
    ['a wrong length', answering('{"a":1}', { 'content-length': '8' }), 'content-length is 8, not 7'],
    ['a header of no document', answering('{"a":1}', { 'x-more': '1' }), 'no document has the header x-more'],
    ['a weak tag', answering('{"a":1}', { etag: 'W/"AAAAAAAAAAAAAAAAAAAAAA"' }), 'the etag is W/"AAAA'],
    ['limits that are no list', answering('{"a":1}', { ratelimit: '2' }), 'of which are left 2'],
    ['no limits', answering('{"a":1}', { ratelimit: '', 'ratelimit-policy': '' }), 'the limits are ,'],
    [
      'a replay of a lookup',
      answering('{"a":1}', { 'idempotent-replayed': 'true' }),
      'idempotent-replayed is true',
    ],
    [
      'a code where nothing failed',
      answering('{"a":1}', { 'x-error-code': 'X' }),
      'an answer that is no error has x-error-code',
    ],
  ])('rejects %s', async (_name, target, issue) => {
    await expect(runCase(target, example!)).rejects.toThrow(issue);
  });

  const [failing] = readText('### A case\n> POST /x\n\n< 404\n{"code":"A"}\n', 'failing');
  const failed = (text: string, headers: Record<string, string>): Target => {
    const target = answering(text, headers);
    const exchange: Target['exchange'] = async (request) => {
      const { etag: _, ...others } = (await target.exchange(request)).headers;
      return { ...(await target.exchange(request)), status: 404, headers: others };
    };
    return { ...target, exchange };
  };

  test('rejects an error whose code is in two places, or in none', async () => {
    const [coded, plain] = ['{"code":"A"}', '{"reason":"A"}'];
    await expect(runCase(failed(coded, {}), failing!)).resolves.toBeUndefined();
    const twice = runCase(failed(coded, { 'x-error-code': 'A' }), failing!);
    await expect(twice).rejects.toThrow('the code of the error is A in the body, and A in x-error-code');
    await expect(runCase(failed(plain, {}), failing!)).rejects.toThrow('is undefined in the body');
  });

  test.each([
    ['a body without a case', '{"a":1}', 'x.http:1'],
    ['a response without a request', '### A\n< 200', 'x.http:2'],
    ['a call made some times', '### A\n> GET /x *some', 'x.http:2'],
    ['a second response', '### A\n> GET /x\n< 200\n{}\n< 201', 'x.http:5'],
    ['a header without a colon', '### A\n> GET /x\n> oops', '"oops" is no header'],
  ])('cannot read %s', (_name, text, issue) => {
    expect(() => readText(text, 'x')).toThrow(issue);
  });
});
