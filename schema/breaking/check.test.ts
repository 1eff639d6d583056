import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { checkBreaking } from './check.ts';
import { isNode } from './nodes.ts';

const API = 'schema/api.graphql';
const REQUEST_MONEY = 'schema/openapi/request-money.json';
const read = (path: string) => readFileSync(path, 'utf8');

/** Compares the committed files, as a release, with the same after a change of one. */
function changesAfter(path: string, change: (text: string) => string, version = '1.2.0', tag = 'v1.1.0') {
  const changed = (name: string) => (name === path ? change(read(name)) : read(name));
  const { lines, isWell } = checkBreaking({
    version,
    tag,
    today: '2026-12-01',
    released: read,
    present: changed,
  });
  return { isWell, changes: lines.slice(0, -1).map((line) => line.replace(/^\S+, since v\d\S*: /, '')) };
}

type Nodes = Record<string, unknown>;

/** Sets the value at a path, or removes it without a value. A slash in a name is written `~`. */
function edit(path: string, value?: unknown) {
  return (text: string) => {
    const document: unknown = JSON.parse(text);
    const names = path.split('/').map((name) => name.replaceAll('~', '/'));
    const last = String(names.pop());
    const parent = names.reduce<unknown>((node, name) => (node as Nodes)[name], document) as Nodes;
    if (!isNode(parent) && !Array.isArray(parent)) {
      throw new TypeError(`There is no ${path}`);
    }
    if (value === undefined) {
      if (!(last in parent)) {
        throw new TypeError(`There is no ${path}`);
      }
      delete parent[last];
    } else {
      parent[last] = value;
    }
    return JSON.stringify(document);
  };
}

const CREATE = 'paths/~v1~request-money/post';
const IN = 'components/schemas/CreateRequestMoney';
const OUT = 'components/schemas/FoundAsk';

describe('a breaking change of an OpenAPI document is reported', () => {
  test.each<[string, unknown, string]>([
    ['paths/~v1~request-money~{referenceId}', undefined, 'GET /v1/request-money/{referenceId}: is gone'],
    [CREATE, undefined, 'POST /v1/request-money: is gone'],
    [`${CREATE}/responses/409`, undefined, 'POST /v1/request-money: answer 409: is gone'],
    [
      `${CREATE}/parameters/0/required`,
      true,
      'POST /v1/request-money: header Idempotency-Key is required now',
    ],
    [`${CREATE}/parameters`, [], 'POST /v1/request-money: header Idempotency-Key is gone'],
    [`${CREATE}/security`, [{ apiKey: [] }], 'POST /v1/request-money: takes no apiKeyAlias any more'],
    [`${IN}/required/4`, 'note', 'POST /v1/request-money: body.note: is required now'],
    [
      `${IN}/properties/amount/type`,
      'string',
      'POST /v1/request-money: body.amount: takes no number any more',
    ],
    [`${IN}/properties/referenceId/pattern`, '^[a-z]{8}$', 'body.referenceId: pattern is stricter now'],
    [
      'components/schemas/CashPayout/properties/provider/maxLength',
      9,
      'provider: maxLength is stricter now, 9',
    ],
    [
      'components/schemas/UpdateStatus/properties/status/enum',
      ['pending'],
      'body.status: "completed" is gone',
    ],
    [
      `${OUT}/properties/waLink`,
      undefined,
      'GET /v1/request-money/{referenceId}: answer 200.waLink: is gone',
    ],
    [`${OUT}/required`, [], 'GET /v1/request-money/{referenceId}: answer 200.id: may be missing now'],
    [`${OUT}/properties/id/type`, ['string', 'null'], 'answer 200.id: may be null now'],
    ['webhooks/operation_created', undefined, 'webhook operation_created: is gone'],
    [
      'components/schemas/OperationCreatedEvent/properties/data/properties/amount',
      undefined,
      'webhook operation_created.data.amount: is gone',
    ],
  ])('%s → %j', (path, value, reported) => {
    const { isWell, changes } = changesAfter(REQUEST_MONEY, edit(path, value));
    expect(isWell).toBe(false);
    expect(changes).toEqual(expect.arrayContaining([expect.stringContaining(reported)]));
  });
});

test.each<[string, unknown]>([
  ['paths/~v2', { get: { responses: {} } }],
  [`${CREATE}/responses/418`, { description: 'New' }],
  [`${CREATE}/parameters/1`, { name: 'x', in: 'query', required: false, schema: {} }],
  [`${IN}/properties/note`, { type: 'string' }],
  [`${IN}/properties/amount/type`, ['number', 'string']],
  [`${OUT}/properties/more`, { type: 'string' }],
  ['components/schemas/CashPayout/properties/provider/maxLength', 999],
  ['info/description', 'Other words'],
])('an addition breaks nobody: %s', (path, value) => {
  expect(changesAfter(REQUEST_MONEY, edit(path, value))).toEqual({ isWell: true, changes: [] });
});

describe('a change of the graph', () => {
  test('that breaks clients is reported', () => {
    const { isWell, changes } = changesAfter(API, (sdl) =>
      sdl.replace(/^ {2}latestEventCursor:/m, '  newestEventCursor:'),
    );
    expect([isWell, changes]).toEqual([false, ['Query.latestEventCursor was removed.']]);
  });

  test('by which an input takes exactly one field is reported, and one back is not', () => {
    const plain = 'type Query { a(by: By): Int } input By { id: ID ref: ID }';
    const oneOf = plain.replace('input By', 'input By @oneOf');
    const changesOf = (former: string, present: string) => {
      const file = (sdl: string) => (path: string) => (path === API ? sdl : read(path));
      const versions = { version: '1.2.0', tag: 'v1.1.0', today: '2026-12-01' };
      return checkBreaking({ ...versions, released: file(former), present: file(present) });
    };
    const line = `${API}, since v1.1.0: By became @oneOf.`;
    expect(changesOf(plain, oneOf)).toMatchObject({ isWell: false, lines: expect.arrayContaining([line]) });
    expect(changesOf(oneOf, plain).lines.join()).not.toContain('@oneOf');
  });

  test('that adds something is not breaking', () => {
    const { isWell } = changesAfter(API, (sdl) =>
      sdl.replace(/^type Query[^{]*\{/m, (head) => `${head}\n  added: Int`),
    );
    expect(isWell).toBe(true);
  });
});

describe('a break is well', () => {
  test.each([
    ['0.2.0', 'v0.1.9', true],
    ['0.1.1', 'v0.1.0', false],
    ['2.0.0', 'v1.9.9', true],
    ['1.10.0', 'v1.9.0', false],
    ['1.0.0', 'v0.9.0', true],
  ])('when the version says so: %s after %s', (version, tag, isAllowed) => {
    const { isWell, changes } = changesAfter(REQUEST_MONEY, edit(CREATE), version, tag);
    expect([isWell, changes.length]).toEqual([isAllowed, 1]);
  });

  test('if nothing was released, or the release does not have the file', () => {
    const none = { version: '0.1.0', today: '2026-12-01', present: read, released: read };
    expect(checkBreaking({ ...none, tag: undefined })).toEqual({
      lines: ['Nothing was released yet: there is no tag such as v1.2.3.'],
      isWell: true,
    });
    const { isWell } = checkBreaking({ ...none, tag: 'v0.0.1', released: () => undefined });
    expect(isWell).toBe(true);
  });
});
