import { expect, test } from '@jest/globals';
import { runBoth } from './compare.ts';
import type { TestGraph } from './graph.ts';

/** An operation whose result must be the same as graphql-js over one schema gives. */
export interface Case {
  readonly name: string;
  readonly query: string;
  readonly variables?: Record<string, unknown>;
}

/** Makes a test of each case; none of them may have errors. */
export function compareAll(graph: TestGraph, cases: readonly Case[]): void {
  test.each(cases)('$name', async ({ query, variables }) => {
    const { engine, expected, monolith } = await runBoth(graph, query, variables);
    expect(monolith.errors).toBeUndefined();
    expect(engine).toEqual(expected);
  });
}
