import { describe, expect, test } from '@jest/globals';
import { isObjectType } from 'graphql';
import { readOperation } from '../operation/document.ts';
import { readSupergraph } from '../supergraph/supergraph.ts';
import { createTestGraph } from '../testing/graph.ts';
import { createExactNumbers } from './exact-numbers.ts';
import { Model } from './model.ts';
import type { PlanNode } from './plan.ts';
import { createQueryPlanner } from './query-planner.ts';
import { divideRoot } from './root-fields.ts';
import { verifyPlan } from './verify.ts';

const { supergraphSdl } = createTestGraph({
  subgraphs: {
    works: `type Query { works: [Work] user: User }
      interface Work @key(fields: "id") { id: ID! title: String }
      type Print implements Work @key(fields: "id") { id: ID! title: String pages(of: Int): Int }
      type Bust implements Work @key(fields: "id") { id: ID! title: String height(of: Int): Int }
      type User @key(fields: "id") { id: ID! size: Int name: String }`,
    rents: `type User @key(fields: "id") { id: ID! size: Int @external rent: Int @requires(fields: "size") plain: Int }
      type Work @interfaceObject @key(fields: "id") { id: ID! stars: Int }`,
  },
});
const supergraph = readSupergraph(supergraphSdl);

/** Verifies the plan of a query after a change of its text. */
async function verifyChanged(query: string, change: (plan: string) => string): Promise<void> {
  const planner = createQueryPlanner({ supergraph });
  const valid = readOperation(query, null, supergraph.publicSchema);
  const rootType = supergraph.publicSchema.getQueryType();
  if ('errors' in valid || !isObjectType(rootType)) {
    throw new Error('The query is not valid.');
  }
  const { operation, fragments, conditionVariables } = valid;
  const context = { schema: supergraph.publicSchema, fragments, keys: planner.createKeys() };
  const { parts } = divideRoot(context, operation, rootType);
  const request = { operation, context, conditionVariables, parts };
  const plan = await planner.plan(request);
  if ('errors' in plan) {
    throw new Error('There is no plan.');
  }
  const text = JSON.stringify(plan.nodes);
  const changed = change(text);
  expect(changed === text).toBe(change === unchanged);
  const nodes = JSON.parse(changed) as (PlanNode | null)[];
  const deps = { model: new Model(supergraph.document), exactNumbers: createExactNumbers(new Set()) };
  verifyPlan({ ...deps, partlyHiddenTypes: supergraph.partlyHiddenTypes }, request, { ...plan, nodes });
}

const unchanged = (plan: string) => plan;
const RENT = '{ user { name rent } }';
const STARS = '{ works { title stars ... on Print { pages(of: 1) } } }';

describe('the verifier', () => {
  test.each([RENT, STARS, 'query($a: Boolean!) { user { rent @include(if: $a) plain @skip(if: $a) } }'])(
    'accepts the plan of %s',
    async (query) => {
      await expect(verifyChanged(query, unchanged)).resolves.toBeUndefined();
    },
  );

  test.each<[string, string, (plan: string) => string, string]>([
    [
      'a field that is not fetched',
      RENT,
      (plan) => plan.replace(/ ?\bname\b/, ''),
      'User.name is not fetched',
    ],
    ['a field of another subgraph', RENT, (plan) => plan.replace(/\bname\b/, 'rent'), 'cannot resolve there'],
    [
      'a field that is only external there',
      RENT,
      (plan) => plan.replace('{rent}', '{rent size}'),
      'cannot resolve',
    ],
    ['a reference without its key', RENT, (plan) => plan.replace(/ ?\bid\b/, ''), 'User.rent is not fetched'],
    [
      'a reference without its type',
      RENT,
      (plan) => plan.replace('__typename ', ''),
      'User.rent is not fetched',
    ],
    [
      'a required field that is not fetched before',
      RENT,
      (plan) => plan.replace(' size', ''),
      'User.rent, which it cannot resolve there',
    ],
    [
      'fetches at the same time that need each other',
      RENT,
      (plan) => plan.replace('Sequence', 'Parallel'),
      'User.rent is not fetched',
    ],
    [
      'another argument',
      STARS,
      (plan) => plan.replace('of: 1', 'of: 2'),
      'Print.pages(of: 1) is not fetched',
    ],
    ['a type that cannot be determined', STARS, (plan) => plan.replace('__typename ', ''), 'name'],
    [
      'a key with two meanings',
      STARS,
      (plan) => plan.replace('pages(of: 1)', 'pages(of: 1) pages(of: 2)'),
      'means pages(of: 1) and pages(of: 2)',
    ],
    [
      'a key with two shapes',
      STARS,
      (plan) => plan.replace('title', 'title:id title'),
      'asked for ID! and String',
    ],
  ])('rejects %s', async (_name, query, change, message) => {
    await expect(verifyChanged(query, change)).rejects.toThrow(message);
  });
});
