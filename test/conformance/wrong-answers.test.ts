import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ExecutionResult } from 'graphql';
import { createHttpTransport, type HttpTransport, resultText } from '../../gateway/engine/index.ts';
import {
  createTestGraph,
  type TestContext,
  type TestGraph,
  testContext,
} from '../../gateway/engine/testing/index.ts';

/** The answer of each subgraph, as text, in turn. */
const answers: Record<string, string> = { one: '', two: '' };
const open: (Server | HttpTransport<TestContext>)[] = [];
let graph: TestGraph;

async function serve(name: string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(answers[name]);
    });
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

beforeAll(async () => {
  const urls: Record<string, string> = { one: await serve('one'), two: await serve('two') };
  graph = createTestGraph({
    subgraphs: {
      one: `
        scalar Any
        enum Colour { RED }
        interface Named { name: String }
        type Query { thing: Thing things: [Thing] named: Named other: Int }
        type Thing implements Named @key(fields: "id") {
          id: ID! name: String int: Int float: Float string: String boolean: Boolean anId: ID colour: Colour any: Any
          thing: Thing ints: [Int] colours: [Colour!] things: [Thing] needed: String! neededInt: Int! neededId: ID!
        }`,
      two: 'type Query { unused: Int } type Thing @key(fields: "id") { id: ID! extra: String needed2: String! }',
    },
    connect(_schema, name) {
      const transport = createHttpTransport<TestContext>({ url: urls[name] ?? '' });
      open.push(transport);
      return transport;
    },
  });
});
afterAll(async () => {
  for (const one of open.reverse()) {
    await one.close();
  }
});

/** The answer to a query, the same from interpreted and compiled code, as data and as text. */
async function run(query: string): Promise<ExecutionResult> {
  const results: string[] = [];
  for (let run = 0; run < 4; run++) {
    results.push(resultText(await graph.engine.execute({ query }, testContext())));
  }
  expect(new Set(results).size).toBe(1);
  return JSON.parse(results[0] ?? '');
}

const thing = (fields: string) => {
  answers.one = `{"data":{"thing":{${fields}}}}`;
};

describe('A leaf that its type cannot represent', () => {
  test.each<[string, string]>([
    ['int', '"5"'],
    ['int', '1.5'],
    ['int', '3000000000'],
    ['int', '1e999'],
    ['int', 'true'],
    ['int', '{"a":1}'],
    ['int', '[1]'],
    ['int', '[]'],
    ['float', '"1.5"'],
    ['float', '1e999'],
    ['float', '-1e999'],
    ['float', 'false'],
    ['float', '{}'],
    ['string', '5'],
    ['string', 'true'],
    ['string', '{"a":"x"}'],
    ['string', '["x"]'],
    ['boolean', '1'],
    ['boolean', '"true"'],
    ['boolean', '[true]'],
    ['anId', '1.5'],
    ['anId', 'true'],
    ['anId', '{"id":"1"}'],
    ['anId', '["1"]'],
    ['colour', '"BLUE"'],
    ['colour', '["RED"]'],
    ['colour', '5'],
    ['colour', '{"toString":1}'],
  ])('is null with an error: %s of %s', async (field, json) => {
    thing(`"id":"1","${field}":${json}`);
    const { data, errors = [] } = await run(`{ thing { id ${field} } }`);
    expect(data).toEqual({ thing: { id: '1', [field]: null } });
    expect(errors).toMatchObject([
      { path: ['thing', field], extensions: { code: 'DOWNSTREAM_SERVICE_ERROR' } },
    ]);
  });

  test.each([
    ['needed', '5'],
    ['needed', '{}'],
    ['neededInt', '"1"'],
    ['neededId', 'true'],
  ])('is a forbidden null where null may not be: %s of %s', async (field, json) => {
    thing(`"${field}":${json}`);
    const { data, errors = [] } = await run(`{ thing { ${field} } }`);
    expect(data).toEqual({ thing: null });
    expect(errors).toMatchObject([{ path: ['thing', field] }]);
  });

  test('is null in a list, beside the others', async () => {
    thing('"ints":[1,"2",3,[4],null],"colours":["RED","BLUE"]');
    const { data, errors = [] } = await run('{ thing { ints colours } }');
    expect(data).toEqual({ thing: { ints: [1, null, 3, null, null], colours: null } });
    expect(errors.map(({ path }) => path)).toEqual([
      ['thing', 'ints', 1],
      ['thing', 'ints', 3],
      ['thing', 'colours', 1],
    ]);
  });
});

test('Values that their types can represent come through', async () => {
  thing(
    '"int":-0.0,"float":3,"string":"é\\u0000","boolean":false,"anId":12,"neededId":7,"colour":"RED","any":{"a":[1e3,null]}',
  );
  expect(await run('{ thing { int float string boolean anId neededId colour any } }')).toEqual({
    data: {
      thing: {
        int: 0,
        float: 3,
        string: 'é\u0000',
        boolean: false,
        anId: '12',
        neededId: '7',
        colour: 'RED',
        any: { a: [1000, null] },
      },
    },
  });
});

describe('A value of the wrong shape', () => {
  test.each<[string, string, string, (string | number)[]]>([
    ['a list for an object', '"thing":[{"id":"1"}]', 'thing { id }', ['thing', 'thing']],
    ['an empty list for an object', '"thing":[]', 'thing { name }', ['thing', 'thing']],
    ['text for an object', '"thing":"x"', 'thing { name }', ['thing', 'thing']],
    ['a number for an object', '"thing":0', 'thing { name }', ['thing', 'thing']],
    ['an object for a list', '"things":{"id":"1"}', 'things { id }', ['thing', 'things']],
    ['text for a list', '"ints":"12"', 'ints', ['thing', 'ints']],
    ['an object for a list of leaves', '"ints":{"0":1}', 'ints', ['thing', 'ints']],
    ['a list in a list', '"things":[[{"name":"x"}]]', 'things { name }', ['thing', 'things', 0]],
  ])('is null with an error: %s', async (_name, json, selection, path) => {
    thing(json);
    const { data, errors = [] } = await run(`{ thing { ${selection} } }`);
    expect(JSON.stringify(data)).toMatch(
      /^\{"thing":\{"things?":(null|\[null\])\}\}$|^\{"thing":\{"ints":null\}\}$/,
    );
    expect(errors).toMatchObject([{ path, extensions: { code: 'DOWNSTREAM_SERVICE_ERROR' } }]);
  });

  test('is an error at the root, too', async () => {
    answers.one = '{"data":{"thing":[],"things":{"name":"x"}}}';
    const { data, errors = [] } = await run('{ thing { name } things { name } }');
    expect(data).toEqual({ thing: null, things: null });
    expect(errors.map(({ path }) => path?.[0]).sort()).toEqual(['thing', 'things']);
  });
});

describe('A field that the subgraph left out', () => {
  const LEFT_OUT = { code: 'SUBGRAPH_RESPONSE_INVALID' };

  test.each<[string, string, string, (string | number)[]]>([
    ['at the root', '{"data":{}}', '{ thing { id } }', ['thing']],
    ['of an object', '{"data":{"thing":{"id":"1"}}}', '{ thing { id name } }', ['thing', 'name']],
    ['under an alias', '{"data":{"thing":{"name":"x"}}}', '{ thing { called: name } }', ['thing', 'called']],
    ['in a list', '{"data":{"things":[{"name":"x"},{}]}}', '{ things { name } }', ['things', 1, 'name']],
  ])('is null with an error: %s', async (_name, answer, query, path) => {
    answers.one = answer;
    const { errors = [] } = await run(query);
    expect(errors).toMatchObject([{ path, extensions: LEFT_OUT }]);
  });

  test('is not looked for where the client may have switched it off, or another type has it', async () => {
    answers.one = '{"data":{"named":{"__typename":"Thing","name":"x"}}}';
    const query = 'query ($no: Boolean = false) { named { name ... on Thing { int @include(if: $no) } } }';
    expect(await run(query)).toEqual({ data: { named: { name: 'x' } } });
  });

  test('needs no second error where there is one', async () => {
    answers.one = '{"data":{"thing":{}},"errors":[{"message":"No.","path":["thing","name"]}]}';
    expect((await run('{ thing { name } }')).errors).toMatchObject([{ message: 'No.' }]);
  });
});

describe('Errors in a form that cannot be read', () => {
  test.each([
    ['an object', '{"message":"no"}'],
    ['text', '"no"'],
    ['a number', '1'],
    ['true', 'true'],
    ['a list of nothing', '[null]'],
    ['a list of text', '["no"]'],
    ['an error with a message that is none', '[{"message":{"a":1}}]'],
    ['an error with a path that is none', '[{"message":"no","path":"thing"}]'],
    ['an error with extensions that are none', '[{"message":"no","extensions":[1]}]'],
  ])('are errors all the same: %s', async (_name, errors) => {
    answers.one = `{"data":{"thing":null,"other":1},"errors":${errors}}`;
    const result = await run('{ thing { id } other }');
    expect(result.data).toEqual({ thing: null, other: 1 });
    expect(result.errors?.length).toBeGreaterThan(0);
    expect(result.errors).toContainEqual(expect.objectContaining({ path: ['thing'] }));
  });

  test.each(['null', '[]'])('are none where a server writes that for none: %s', async (errors) => {
    answers.one = `{"data":{"other":1},"errors":${errors}}`;
    expect(await run('{ other }')).toEqual({ data: { other: 1 } });
  });
});

describe('Entities', () => {
  const QUERY = '{ things { id extra } }';
  const things = '{"data":{"things":[{"__typename":"Thing","id":"1"},{"__typename":"Thing","id":"2"}]}}';
  const INVALID = { code: 'SUBGRAPH_RESPONSE_INVALID', serviceName: 'two' };

  test.each([
    ['too few', '{"data":{"_entities":[{"extra":"a"}]}}'],
    ['none', '{"data":{"_entities":[]}}'],
    ['too many', '{"data":{"_entities":[{"extra":"a"},{"extra":"b"},{"extra":"c"}]}}'],
    ['null', '{"data":{"_entities":null}}'],
    ['an object', '{"data":{"_entities":{"extra":"a"}}}'],
    ['text', '{"data":{"_entities":"ab"}}'],
  ])('that do not answer the references are not used: %s', async (_name, answer) => {
    answers.one = things;
    answers.two = answer;
    const { data, errors = [] } = await run(QUERY);
    expect(data).toEqual({
      things: [
        { id: '1', extra: null },
        { id: '2', extra: null },
      ],
    });
    expect(errors).toMatchObject([{ path: ['things'], extensions: INVALID }]);
  });

  test('that are left out are not used', async () => {
    answers.one = things;
    answers.two = '{"data":{}}';
    const { errors = [] } = await run(QUERY);
    expect(errors).toMatchObject([{ path: ['things'], extensions: INVALID }]);
  });

  test.each(['"x"', '5', '[]', 'true'])('of the wrong shape fail alone: %s', async (entity) => {
    answers.one = things;
    answers.two = `{"data":{"_entities":[${entity},{"extra":"b"}]}}`;
    const { data, errors = [] } = await run(QUERY);
    expect(data).toEqual({
      things: [
        { id: '1', extra: null },
        { id: '2', extra: 'b' },
      ],
    });
    expect(errors).toMatchObject([{ path: ['things', 0], extensions: INVALID }]);
  });

  test('that all came to null because of one say so everywhere', async () => {
    answers.one = things;
    answers.two = '{"data":null,"errors":[{"message":"No.","path":["_entities",0,"extra"]}]}';
    const { errors = [] } = await run(QUERY);
    expect(errors).toMatchObject([{ message: 'No.', path: ['things'] }]);
  });

  test('that do not exist are null without an error', async () => {
    answers.one = things;
    answers.two = '{"data":{"_entities":[null,{"extra":"b"}]}}';
    expect(await run(QUERY)).toEqual({
      data: {
        things: [
          { id: '1', extra: null },
          { id: '2', extra: 'b' },
        ],
      },
    });
  });
});

test.each([
  ['text', '"x"'],
  ['a list', '[]'],
  ['a number', '0'],
  ['false', 'false'],
  ['null alone', 'null'],
])('Data that is no object is an error: %s', async (_name, json) => {
  answers.one = `{"data":${json}}`;
  expect(await run('{ other }')).toMatchObject({
    data: { other: null },
    errors: [{ path: ['other'], extensions: { code: 'SUBGRAPH_RESPONSE_INVALID' } }],
  });
});

test.each([501, 5_000, 200_000])(
  'A custom scalar of %i levels is null with an error at its field',
  async (levels) => {
    thing(`"any":${'['.repeat(levels)}${']'.repeat(levels)},"int":1`);
    const { data, errors } = await run('{ thing { any int } }');
    expect(data).toEqual({ thing: { any: null, int: 1 } });
    expect(errors).toMatchObject([{ path: ['thing', 'any'] }]);
  },
);

test('A custom scalar of 500 levels comes through', async () => {
  const any = `${'[{"a":'.repeat(250)}1${'}]'.repeat(250)}`;
  thing(`"any":${any}`);
  expect(await run('{ thing { any } }')).toEqual({ data: { thing: { any: JSON.parse(any) } } });
});

test('Extensions of an error that are nested too deeply are left out', async () => {
  const deep = `{"deep":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
  answers.one = `{"data":{"other":null},"errors":[{"message":"no","path":["other"],"extensions":${deep}}]}`;
  const { data, errors } = await run('{ other }');
  expect(data).toEqual({ other: null });
  expect(errors).toMatchObject([{ message: 'no', path: ['other'] }]);
  expect(JSON.stringify(errors)).not.toContain('deep');
});
