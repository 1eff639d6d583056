import { describe } from '@jest/globals';
import { createShopGraph } from '../../gateway/engine/testing/index.ts';
import { answers } from './support/suite.ts';

describe('a shop: keys, @requires, @provides and @override together', () => {
  const graph = createShopGraph();

  answers(
    () => graph,
    [
      { name: 'compound key', query: '{ products { name reviews { stars } } }' },
      {
        name: 'compound key, back again',
        query: '{ products { reviews { stars product { name id sku } } } }',
      },
      { name: 'requires with arguments', query: '{ products { shipping } }' },
      {
        name: 'requires beside the same field with other arguments',
        query: '{ products { price shipping(unit: LB) p2: price(currency: "EUR") } }',
      },
      {
        name: 'requires beside the same field without arguments',
        query: '{ grid { price weight shipping box } }',
      },
      {
        name: 'requires across three subgraphs',
        query:
          '{ products { shipping volume reviews { author { name tier friends { name reviewed { stars author { tier } } } } } } }',
      },
      {
        name: 'the same entity in two aliases',
        query:
          '{ a: product(id: "p1") { shipping reviews { stars } } b: product(id: "p1") { shipping(unit: LB) reviews { id } } }',
      },
      {
        name: 'different arguments below one entity',
        query:
          '{ a: reviews { product { reviews(first: 1) { author { tier } } } } b: reviews { product { reviews(first: 2) { author { friends { name } } } } } }',
      },
      {
        name: 'merged fields',
        query:
          '{ me { name } me { friends { name } friends { tier } } ...F } fragment F on Query { me { id friends { id } } }',
      },
      {
        name: 'key order that depends on a variable',
        query: 'query($a: Boolean!) { me { name @include(if: $a) id name } }',
        variables: { a: false },
      },
      {
        name: 'a key included by either of two variables',
        query:
          'query($a: Boolean!, $b: Boolean!) { me { name @include(if: $a) name @include(if: $b) friends @include(if: $a) { id } friends @include(if: $b) { name } } }',
        variables: { a: false, b: true },
      },
    ],
  );
});
