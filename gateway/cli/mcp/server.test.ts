import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { getNamedType, getOperationAST, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { createReadGraph, READ_DOCUMENTS, readDocument } from './documents.ts';
import { MAX_ANSWER_BYTES, OWN_FIELDS } from './marked-data.ts';
import { connectClient, fullAnswer, SERVER_TEXTS, schema, serverOf } from './testing.ts';
import { MOST_ENTRIES } from './timeline-page.ts';

afterEach(() => void jest.restoreAllMocks());

type Sent = Parameters<typeof fetch>;

/** A client of the tools, and the calls that they send to the product. */
async function connect(answer = fullAnswer(() => 'text'), withAnswers = true) {
  const sent: Sent[] = [];
  const send = serverOf(answer);
  const tools = await connectClient(
    (...call) => {
      sent.push(call);
      return send(...call);
    },
    { withAnswers },
  );
  return { ...tools, sent };
}

/** A cursor of the graph: it has the longest id of a partner in it. */
const cursorOf = (end: number) => `${end}_${Buffer.from('é'.repeat(255)).toString('base64url')}`;

/** A timeline of this many entries, in pages as the graph gives them. */
function longTimeline(count: number, message: string) {
  const full = fullAnswer(() => 'text');
  return (name: (typeof READ_DOCUMENTS)[number], variables: Record<string, unknown>) => {
    if (name !== 'timeline') {
      return full(name, variables);
    }
    const begin = Number.parseInt(String(variables.after ?? 0), 10);
    const end = Math.min(begin + 200, count);
    const nodes = Array.from({ length: end - begin }, (_, index) => ({
      __typename: 'TimelinePhaseFailure',
      id: `e${begin + index}`,
      attempt: begin + index,
      correlationId: message,
      message,
      code: message,
    }));
    const pageInfo = { hasNextPage: end < count, endCursor: cursorOf(end) };
    return { data: { node: { timeline: { nodes, problems: [], isCut: false, pageInfo } } } };
  };
}

describe('The tools', () => {
  test('only read: every document is a query, and every tool says so', async () => {
    const kinds = READ_DOCUMENTS.map((name) => getOperationAST(parse(readDocument(name)))?.operation);
    expect(new Set(kinds)).toEqual(new Set(['query']));
    const { client } = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'find',
      'verdict',
      'timeline',
      'totals',
      'error_catalogue',
    ]);
    for (const { annotations } of tools) {
      expect(annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
  });

  test('send the key and the hash of a trusted document, to /graphql of the server', async () => {
    const { call, sent } = await connect();
    await call('find', { text: 'Ana' });
    const [url, init] = sent[0] ?? [];
    expect(url).toBe('http://localhost:4000/graphql');
    expect(new Headers(init?.headers).get('x-api-key')).toBe('raas_sandbox_x');
    expect(Object.keys(JSON.parse(String(init?.body)))).toEqual(['variables', 'extensions']);
  });

  test('reach a server behind a path of a proxy', async () => {
    const urls: unknown[] = [];
    const send = serverOf(fullAnswer(() => 'text'));
    const graph = createReadGraph({
      url: new URL('https://api.test/remit'),
      key: 'raas_sandbox_x',
      fetch: (url, init) => {
        urls.push(url);
        return send(url, init);
      },
    });
    await graph.run('search', { text: 'Ana' });
    expect(urls).toEqual(['https://api.test/remit/graphql']);
  });

  test('leave only texts unmarked that this product makes', () => {
    const unmarked = new Set<string>();
    for (const name of READ_DOCUMENTS) {
      const types = new TypeInfo(schema);
      const enter = (node: {
        readonly name: { readonly value: string };
        readonly alias?: { readonly value: string } | undefined;
      }) => {
        const field = (node.alias ?? node.name).value;
        const type = types.getType();
        if (type && OWN_FIELDS.has(field) && ['String', 'ID'].includes(getNamedType(type).name)) {
          unmarked.add(field);
        }
      };
      visit(parse(readDocument(name)), visitWithTypeInfo(types, { Field: enter }));
    }
    unmarked.delete('__typename');
    expect([...unmarked].sort()).toEqual([...SERVER_TEXTS].sort());
  });

  test('say what the server answered instead of data', async () => {
    const refused = { message: 'No.\u001b[2J', extensions: { code: 'FORBIDDEN' } };
    const { call } = await connect(() => ({ errors: [refused] }));
    expect(await call('totals', { of: 'webhooks' })).toMatchObject({
      isError: true,
      data: {
        error: {
          errorCode: 'FORBIDDEN',
          message: { untrusted: 'No.\\u001b[2J' },
          requestId: { untrusted: 'req_1' },
        },
      },
    });
  });

  test('fail with OFFLINE when the server cannot be reached, and show no key', async () => {
    const { call } = await connectClient(() => Promise.reject(new TypeError('fetch failed: raas_sandbox_x')));
    const { raw, data, isError } = await call('find', { text: 'Ana' });
    expect([isError, data]).toMatchObject([true, { error: { errorCode: 'OFFLINE' } }]);
    expect(raw).not.toContain('raas_sandbox_x');
  });

  test('fail with TIMEOUT when the server does not answer within 30 s', async () => {
    const late = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
    const { call } = await connectClient(async (_url, init) => {
      late.abort(new Error('late'));
      init?.signal?.throwIfAborted();
      return Response.json({});
    });
    const { data, isError } = await call('find', { text: 'Ana' });
    expect([isError, data]).toMatchObject([true, { error: { errorCode: 'TIMEOUT' } }]);
    expect(timeout).toHaveBeenCalledWith(30_000);
  });

  test('take no argument that is too long or of another kind', async () => {
    const { client, sent } = await connect();
    for (const [name, args] of [
      ['find', { text: '' }],
      ['find', { text: 'a'.repeat(256) }],
      ['verdict', { kind: 'User', id: 'usr_1' }],
      ['timeline', { kind: 'Operation', id: 'op_1', cursor: 'x' }],
      ['totals', { of: 'users' }],
      ['totals', { of: 'operations', from: 'yesterday' }],
    ] as const) {
      expect(await client.callTool({ name, arguments: args })).toMatchObject({ isError: true });
    }
    expect(sent).toEqual([]);
  });
});

describe('The tool verdict', () => {
  test('gives the fields of the payment and its verdict, or null for one that is not there', async () => {
    const { call } = await connect();
    const { data } = await call('verdict', { kind: 'Operation', id: 'op_1' });
    expect(data).toMatchObject({
      payment: { id: 'server_1', status: expect.any(String), reason: { untrusted: 'text' } },
      verdict: { cause: expect.any(String), summary: { untrusted: 'text' } },
    });
    const request = await call('verdict', { kind: 'RequestMoney', id: 'AB12cd34' });
    expect(request.raw).not.toMatch(/landingLink|fundRequestLink/);
    const { call: callEmpty } = await connect(() => ({ data: { operation: null } }));
    const none = await callEmpty('verdict', { kind: 'Operation', id: 'op_2' });
    expect(none.data).toMatchObject({ payment: null, verdict: null });
  });
});

describe('The tool timeline', () => {
  test('gives every entry once, in answers of a limited number', async () => {
    const { call } = await connect(longTimeline(470, 'text'));
    const attempts: unknown[] = [];
    let cursor: unknown;
    let answers = 0;
    do {
      const { data } = await call('timeline', {
        kind: 'Operation',
        id: 'op_1',
        ...(cursor ? { cursor } : {}),
      });
      const { entries, nextCursor } = data;
      const page = Array.isArray(entries) ? entries : [];
      expect(page.length).toBeLessThanOrEqual(MOST_ENTRIES);
      attempts.push(...page.map((entry) => entry.attempt));
      cursor = nextCursor;
      expect(String(cursor)).toMatch(/^(?:\d+|null)$/);
      answers += 1;
    } while (cursor);
    expect(attempts).toEqual(Array.from({ length: 470 }, (_, index) => index));
    expect(answers).toBe(10);
    const { data: beyond } = await call('timeline', { kind: 'Operation', id: 'op_1', cursor: '999999' });
    expect(beyond).toMatchObject({ entries: [], nextCursor: null });
  });

  test('keeps its size, and all entries, with the longest and most hidden texts', async () => {
    for (const message of [
      'x'.repeat(16_384),
      '\u{e0041}'.repeat(8_192),
      '"\\'.repeat(8_192),
      '\u0000'.repeat(500),
    ]) {
      const { call } = await connect(longTimeline(60, message));
      const { raw, data } = await call('timeline', { kind: 'Operation', id: 'op_1' });
      expect(Buffer.byteLength(raw)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
      expect(data.entries).toHaveLength(MOST_ENTRIES);
      expect(JSON.stringify(data)).toContain(`"cutFrom":${message.length}`);
    }
  });

  test('reads the answers of receivers only if it was started so, and never bodies', async () => {
    const args = { kind: 'WebhookDelivery', id: 'whd_1' };
    const { call: callWith } = await connect();
    const answered = await callWith('timeline', args);
    expect(answered.data.entries).toMatchObject([{ answer: { untrusted: 'text' } }]);
    expect(answered.raw).not.toContain('"body"');
    const { call: callWithout, sent } = await connect(
      fullAnswer(() => 'text'),
      false,
    );
    expect((await callWithout('timeline', args)).raw).not.toContain('"answer"');
    expect(JSON.parse(String(sent[0]?.[1]?.body)).variables).toEqual({ id: 'whd_1', isRevealed: false });
  });

  test('gives null for a record that is not there', async () => {
    const { call } = await connect(() => ({ data: { operation: null, webhookDelivery: null } }));
    for (const kind of ['Operation', 'WebhookDelivery']) {
      expect((await call('timeline', { kind, id: 'none' })).data).toMatchObject({ entries: null });
    }
  });
});

describe('The tool totals', () => {
  test.each([
    ['operations', [{ status: expect.any(String), count: 1 }]],
    ['money_requests', [{ status: expect.any(String), count: 1 }]],
    [
      'remittances',
      [
        { status: 'IN_PROGRESS', count: 1 },
        { status: 'FAILED', count: 1 },
      ],
    ],
    [
      'webhooks',
      [
        { status: 'PENDING', count: 1 },
        { status: 'DEAD_LETTERED', count: 1 },
        { status: 'PAUSED', count: 1 },
      ],
    ],
  ])('counts %s by status', async (of, totals) => {
    const { call } = await connect();
    const { data } = await call('totals', { of, from: '2026-01-01T00:00:00Z' });
    expect(data.totals).toEqual(totals);
  });
});

describe('The tool error_catalogue', () => {
  test('lists the codes, and describes each', async () => {
    const { call } = await connect();
    const { codes } = (await call('error_catalogue', {})).data;
    expect(codes).toEqual(
      expect.arrayContaining(['VALIDATION_FAILED', 'DEPTH_LIMIT_EXCEEDED', 'MISMATCH', '4403']),
    );
    for (const code of Array.isArray(codes) ? codes : []) {
      const { data } = await call('error_catalogue', { code });
      expect(data.errors).toContainEqual({
        code,
        where: expect.any(Array),
        cause: expect.any(String),
        fix: expect.stringMatching(/\S/),
      });
    }
    const { data: limited } = await call('error_catalogue', { code: 'NOT_ACCEPTABLE' });
    expect(limited.errors).toMatchObject([{ where: ['graphql 406'] }]);
    expect((await call('error_catalogue', { code: 'NONE' })).data).toEqual({ errors: [] });
  });
});
