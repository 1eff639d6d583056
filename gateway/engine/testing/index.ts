export { comparable, runBoth } from './compare.ts';
export { planBy } from './fixed-plan.ts';
export {
  composeTestGraph,
  createSubgraphSchema,
  createTestGraph,
  type TestContext,
  type TestGraph,
  type TestGraphOptions,
  type TestReferences,
  type TestResolver,
  type TestResolvers,
  type TestSubgraph,
  type TestSubscription,
  testContext,
} from './graph.ts';
export { createShopGraph } from './shop.ts';
export { type SubgraphServer, startSubgraph } from './subgraph-server.ts';
