import type { ExecutionResult } from 'graphql';
import { resultText } from '../executor/written-result.ts';
import { type TestGraph, testContext } from './graph.ts';

/** The number of runs after which both the interpreter and the compiled code of an in-process subgraph have answered. */
const RUNS = 4;

function sortedPaths(result: ExecutionResult): string[] {
  return (result.errors ?? []).map((error) => JSON.stringify(error.path ?? null)).sort();
}

/** The parts that must be equal between two ways to run one operation: data with the order of keys, and error paths. */
export function comparable(result: ExecutionResult): { data: string; paths: string[] } {
  return { data: JSON.stringify(result.data), paths: sortedPaths(result) };
}

/** The engine writes the answer before the data is read. */
function checkText(result: ExecutionResult): void {
  const text = resultText(result);
  const expected = JSON.stringify(result);
  if (text !== expected) {
    throw new Error(`The text of an answer is not the JSON of its data: ${text} instead of ${expected}`);
  }
}

/** Results of the engine and of graphql-js over one schema with the same resolvers. */
export async function runBoth(graph: TestGraph, query: string, variables: Record<string, unknown> = {}) {
  const engine: { data: string; paths: string[] }[] = [];
  let last: ExecutionResult = {};
  for (let run = 0; run < RUNS; run++) {
    last = await graph.engine.execute({ query, variables }, testContext());
    checkText(last);
    engine.push(comparable(last));
  }
  const monolith = await graph.runMonolith(query, variables);
  return { engine, last, monolith, expected: Array.from({ length: RUNS }, () => comparable(monolith)) };
}
