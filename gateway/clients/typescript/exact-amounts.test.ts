import { describe, expect, test } from '@jest/globals';
import { openApiDocuments } from '../../../rest-compat/openapi.ts';
import {
  AMOUNTS,
  exactAmounts,
  FREE_OBJECTS,
  parseExact,
  quoteAmounts,
  unquoteAmounts,
} from './exact-amounts.ts';

/** JSON as sent, and as programs get it. */
const PAIRS = [
  ['{"amount":10.10}', '{"amount":"10.10"}'],
  [
    '{"data":{"amount":{"send":1,"receive":20.10,"rate":18.25,"fee":0}}}',
    '{"data":{"amount":{"send":"1","receive":"20.10","rate":"18.25","fee":"0"}}}',
  ],
  ['[{"amount" : 999999999999.99},{"amount":-1e-7}]', '[{"amount" : "999999999999.99"},{"amount":"-1e-7"}]'],
  [
    '{"note":"\\"amount\\":5","page":1,"latitude":19.4}',
    '{"note":"\\"amount\\":5","page":1,"latitude":19.4}',
  ],
  ['{"code":"amount","total":7}', '{"code":"amount","total":7}'],
  [
    '{"metadata":{"fee":1.50,"list":[{"rate":2}],"send":{"send":3}},"fee":1.50}',
    '{"metadata":{"fee":1.50,"list":[{"rate":2}],"send":{"send":3}},"fee":"1.50"}',
  ],
  ['{"result":null,"metadata":"{","fee":1}', '{"result":null,"metadata":"{","fee":"1"}'],
] as const;

describe('amounts', () => {
  test('of a webhook are texts, and a text that is not JSON is an error', () => {
    expect(parseExact('{"data":{"amount":1500.50}}')).toEqual({ data: { amount: '1500.50' } });
    expect(() => parseExact('{"amount":1500.50')).toThrow(SyntaxError);
  });

  test.each(PAIRS)('of %s are texts for programs, and numbers again on the wire', (sent, shown) => {
    expect(quoteAmounts(sent)).toBe(shown);
    expect(unquoteAmounts(shown)).toBe(sent);
  });

  test.each(['"abc"', '"1,5"', '"01"', '".5"', '""', 'null', 'true', '"1"x'])(
    'stay as they are if they are %s, so that the server refuses them',
    (value) => {
      const text = value === '"1"x' ? '{"name":"1"}' : `{"amount":${value}}`;
      expect(unquoteAmounts(text)).toBe(text);
    },
  );

  test.each([...FREE_OBJECTS])(
    'in %s stay as they are, because partners and providers write them',
    (name) => {
      const text = `{"${name}":{"rate":"10.10","list":[{"fee":"1"}]},"rate":"2.50"}`;
      expect(unquoteAmounts(text)).toBe(text.replace('"2.50"', '2.50'));
    },
  );

  test('of a megabyte of text are found', () => {
    const long = 'a\\"'.repeat(350_000);
    expect(quoteAmounts(`{"a":"${long}","amount":0.30}`)).toBe(`{"a":"${long}","amount":"0.30"}`);
  });
});

interface Property {
  readonly name: string;
  readonly type: unknown;
  /** Whether an object may have members of any name. */
  readonly isFree: boolean;
}

/** The properties of all schemas of a document. */
function propertiesOf(value: unknown): Property[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const own = 'properties' in value && typeof value.properties === 'object' ? (value.properties ?? {}) : {};
  return [
    ...Object.entries(own).map(([name, schema]: [string, { readonly type?: unknown }]) => ({
      name,
      type: schema.type,
      isFree: schema.type === 'object' && !('properties' in schema),
    })),
    ...Object.values(value).flatMap(propertiesOf),
  ];
}

describe('the OpenAPI documents', () => {
  const numbers = (documents: object, type: string) =>
    new Set(
      propertiesOf(documents)
        .filter((one) => one.type === type)
        .map(({ name }) => name),
    );
  const coordinates = ['callLocationLatitude', 'callLocationLongitude', 'latitude', 'longitude'];

  test('have no other decimals than amounts and coordinates, and no amount that is something else', () => {
    const documents = openApiDocuments();
    expect([...numbers(documents, 'number')].toSorted()).toEqual([...AMOUNTS, ...coordinates].toSorted());
    for (const type of ['string', 'integer', 'boolean']) {
      expect([...numbers(documents, type)].filter((name) => AMOUNTS.has(name))).toEqual([]);
    }
  });

  test('have no other objects with members of any name than the free ones, and the data of activities, which the product writes', () => {
    const free = propertiesOf(openApiDocuments()).filter(({ isFree }) => isFree);
    expect(new Set(free.map(({ name }) => name))).toEqual(new Set([...FREE_OBJECTS, 'data']));
  });

  test('describe amounts as texts for generators', () => {
    // A copy, as a generator reads one: it is changed, and the schemas belong to all tests of the process.
    const documents = structuredClone(openApiDocuments());
    exactAmounts(documents);
    expect([...numbers(documents, 'number')].toSorted()).toEqual(coordinates);
    expect(JSON.stringify(documents)).not.toMatch(/"type":"string","exclusiveM/);
  });
});
