import { afterEach, describe, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { buildSchema } from 'graphql';
import type { Deprecation } from '../../schema/deprecations.ts';
import { addDeprecations } from './deprecations.ts';

const schema = buildSchema(`
  type Query { "New." new(by: Order, where: Where): Thing "Old." old: Thing }
  type Thing { id: ID old: Int sub(first: Int, size: Int): Thing }
  enum Order { NEW OLD }
  input Where { id: ID ref: ID }
`);

const deprecation = (name: string, deprecatedAt: string, sunsetAt: string): Deprecation => ({
  ...{ name, deprecatedAt, sunsetAt },
  page: `/docs/upgrade#${name.replaceAll(/\W+/g, '-')}`,
});
const DEPRECATIONS = [
  deprecation('GET /partner/links/{linkId}', '2026-12-01', '2027-06-01'),
  deprecation('Query.old', '2026-12-15', '2027-05-01'),
  deprecation('Thing.sub(size:)', '2026-11-30', '2027-07-01'),
  deprecation('Order.OLD', '2027-01-01', '2027-07-01'),
  deprecation('Where.ref', '2027-01-01', '2027-07-01'),
];
const NAMES = ['deprecation', 'sunset', 'link'] as const;

let app: FastifyInstance;
afterEach(() => app.close());

interface Call {
  readonly path?: string;
  readonly query?: string;
  readonly method?: 'GET' | 'HEAD';
  readonly maxTokens?: number;
  readonly publicUrl?: string;
}

/** Answers with the three headers of a call; a query is what `/graphql` has checked before. */
async function headersOf(
  { path = '/graphql', query, method = 'GET', maxTokens = 100, publicUrl }: Call,
  deprecations: readonly Deprecation[] = DEPRECATIONS,
) {
  app = Fastify({ exposeHeadRoutes: true });
  app.decorateRequest('graphqlRequest', null);
  addDeprecations(app, { deprecations, schema, maxTokens, publicUrl });
  app.addHook('preValidation', async (request) => {
    request.graphqlRequest =
      query === undefined
        ? null
        : { parameters: { query }, mediaType: 'application/json', isSubscription: false };
  });
  for (const url of ['/partner/links', '/partner/links/:linkId', '/graphql']) {
    app.get(url, async () => ({}));
  }
  const { headers, statusCode } = await app.inject({ method, url: path });
  expect(statusCode).toBeLessThan(500);
  return NAMES.map((name) => headers[name]);
}

const none = NAMES.map(() => undefined);
const links = (...names: string[]) =>
  names
    .map((name) => `</docs/upgrade#${name}>`)
    .map((page) => `${page}; rel="deprecation"; type="text/html", ${page}; rel="sunset"; type="text/html"`)
    .join(', ');

describe('a deprecated call', () => {
  test.each(['GET', 'HEAD'] as const)('has its dates and the page that says more (%s)', async (method) => {
    expect(await headersOf({ method, path: '/partner/links/lnk_1?x=1' })).toEqual([
      '@1796083200',
      'Tue, 01 Jun 2027 00:00:00 GMT',
      links('GET-partner-links-linkId-'),
    ]);
  });

  test('has the whole address of the page where a proxy takes a path off', async () => {
    const [, , link] = await headersOf({
      path: '/partner/links/lnk_1',
      publicUrl: 'https://pay.example.com/api/',
    });
    expect(link).toBe(links('GET-partner-links-linkId-').replaceAll('</', '<https://pay.example.com/api/'));
  });

  test('leaves other calls as they are', async () => {
    expect(await headersOf({ path: '/partner/links' })).toEqual(none);
    await app.close();
    expect(await headersOf({ path: '/unknown' })).toEqual(none);
  });
});

describe('a GraphQL document', () => {
  test.each([
    ['a field', '{ a: old { id } }', 'Query-old', '@1797292800', 'Sat, 01 May 2027 00:00:00 GMT'],
    [
      'an argument, in a fragment',
      'query ($s: Int) { new { ...F } } fragment F on Thing { sub(size: $s) { id } }',
      'Thing-sub-size-',
      '@1795996800',
      'Thu, 01 Jul 2027 00:00:00 GMT',
    ],
    ['a value', '{ new(by: OLD) { id } }', 'Order-OLD', '@1798761600', 'Thu, 01 Jul 2027 00:00:00 GMT'],
    [
      'a field of an input',
      '{ new(where: { ref: 1 }) { id } }',
      'Where-ref',
      '@1798761600',
      'Thu, 01 Jul 2027 00:00:00 GMT',
    ],
  ])('that names %s that is deprecated has its dates', async (_what, query, name, deprecated, sunset) => {
    expect(await headersOf({ query })).toEqual([deprecated, sunset, links(name)]);
  });

  test('that names several has the earliest dates, and all pages', async () => {
    const query = '{ old { sub(size: 1) { id } } new(by: OLD) { id } again: old { id } }';
    expect(await headersOf({ query })).toEqual([
      '@1795996800',
      'Sat, 01 May 2027 00:00:00 GMT',
      links('Query-old', 'Thing-sub-size-', 'Order-OLD'),
    ]);
  });

  test.each<[string, string, number?]>([
    ['names none', '{ new(by: NEW) { old sub(first: 1) { id } } }'],
    ['cannot be read', '{ old'],
    ['is empty', ''],
    ['has too many tokens', `{ old { ${'id '.repeat(200)} } }`],
    ['is nested too deeply', '{ old '.repeat(100_000), 1_000_000],
  ])('that %s has no such header', async (_what, query, maxTokens = 100) => {
    expect(await headersOf({ query, maxTokens })).toEqual(none);
  });
});

test('without deprecations there are no such headers', async () => {
  expect(await headersOf({ query: '{ old { id } }' }, [])).toEqual(none);
});
