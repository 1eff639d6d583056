import { describe, expect, test } from '@jest/globals';
import type { DocumentName } from './graph.ts';
import { createGraph, GraphError } from './graph.ts';

const hashes = new Proxy({} as Record<DocumentName, string>, { get: (_, name) => `hash of ${String(name)}` });

function graphThat(answer: () => Promise<Response> | Response) {
  const sent: { url: unknown; init: RequestInit | undefined }[] = [];
  let signedOut = 0;
  const graph = createGraph({
    url: 'https://remit.example/graphql',
    hashes,
    headers: () => ({ 'x-remitgraph-console': '1' }),
    fetch: async (url, init) => {
      sent.push({ url, init });
      return answer();
    },
    onSignedOut: () => {
      signedOut += 1;
    },
  });
  return { graph, sent, signedOut: () => signedOut };
}

const json = (status: number, body: unknown) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'x-request-id': 'r-1' },
  });

describe("the console's calls", () => {
  test('send the hash of a document, never its text, and the header of our own pages', async () => {
    const { graph, sent } = graphThat(() => json(200, { data: { apiKeys: [] } }));
    expect(await graph.run('keys', { includeEnded: false })).toEqual({ apiKeys: [] });
    const { url, init } = sent[0]!;
    expect(url).toBe('https://remit.example/graphql');
    expect(init).toMatchObject({ method: 'POST', credentials: 'same-origin', redirect: 'error' });
    expect(init?.headers).toMatchObject({ 'x-remitgraph-console': '1', 'content-type': 'application/json' });
    expect(JSON.parse(String(init?.body))).toEqual({
      variables: { includeEnded: false },
      extensions: { persistedQuery: { version: 1, sha256Hash: 'hash of keys' } },
    });
  });

  test.each([
    [
      'an error of the graph, also beside data',
      () =>
        json(200, {
          data: { apiKeys: null },
          errors: [{ message: 'no', extensions: { code: 'FORBIDDEN', missingScopes: ['partner_admin'] } }],
        }),
      { code: 'FORBIDDEN', message: 'no', requestId: 'r-1', missingScopes: ['partner_admin'] },
    ],
    ['a page of a proxy', () => json(502, '<html>'), { code: 'SERVICE_UNAVAILABLE', requestId: 'r-1' }],
    ['no data', () => json(200, {}), { code: 'SERVICE_UNAVAILABLE' }],
    [
      'a server that cannot be reached',
      () => Promise.reject(new TypeError('fetch failed')),
      { code: 'OFFLINE' },
    ],
  ])(
    'fail on %s with a code, and the id by which the operator finds the request',
    async (_name, answer, expected) => {
      const failure = await graphThat(answer)
        .graph.run('keys', { includeEnded: false })
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(GraphError);
      expect(failure).toMatchObject(expected);
    },
  );

  test('report once that the session has ended', async () => {
    const body = { errors: [{ message: 'Sign in', extensions: { code: 'UNAUTHENTICATED' } }] };
    const { graph, signedOut } = graphThat(() => json(401, body));
    await expect(graph.run('keys', { includeEnded: false })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    expect(signedOut()).toBe(1);
  });

  test('of a screen that was left fail with the reason', async () => {
    const leaving = new AbortController();
    const { graph } = graphThat(() => {
      leaving.abort(new Error('left'));
      return Promise.reject(leaving.signal.reason);
    });
    await expect(graph.run('keys', { includeEnded: false }, leaving.signal)).rejects.toThrow('left');
  });
});
