import { expect, test } from '@jest/globals';
import { createTestGraph } from '../testing/graph.ts';
import { explainPlan } from './explain.ts';

const { supergraphSdl } = createTestGraph({
  subgraphs: {
    works: `type Query { works: [Work] } interface Work @key(fields: "id") { id: ID! title: String }
      type Print implements Work @key(fields: "id") { id: ID! title: String maker: Artist }
      type Bust implements Work @key(fields: "id") { id: ID! title: String maker: Artist }
      type Artist @key(fields: "id") { id: ID! }`,
    people: 'type Artist @key(fields: "id") { id: ID! name: String born: Int }',
  },
});

test('a plan as text names each fetch, its subgraph, its objects and its order', async () => {
  const text = await explainPlan(
    supergraphSdl,
    `query($a: Boolean!) { works {
      title ... on Print { maker { name } } ... on Bust { maker @include(if: $a) { born } } } }`,
  );
  expect(text.replace(/\s+/g, ' ')).toBe(
    [
      'One after the other Fetch from works query ($a: Boolean!) { works { __typename title',
      '... on Print { maker { __typename id } } ... on Bust { maker @include(if: $a) { __typename id } } } }',
      'At the same time Fetch from people for works[]|Print|.maker by Artist { id }',
      'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Artist { name } } }',
      'If $a is true Fetch from people for works[]|Bust|.maker by Artist { id }',
      'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Artist { born } } }',
    ].join(' '),
  );
});

test('a document that is not valid has no plan', async () => {
  await expect(explainPlan(supergraphSdl, '{ nothing }')).rejects.toThrow('Cannot query field "nothing"');
});
