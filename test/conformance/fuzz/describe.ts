import { printSubgraphs } from './print.ts';
import type { Failure } from './run.ts';

/** The data to see and to repeat a failure: subgraphs, operation, variables, both answers. */
export function describeFailure(
  seed: string,
  failure: Omit<Failure, 'difference'>,
  lines: readonly string[],
): string {
  const { graph, operation, model, generated } = failure;
  const subgraphs = Object.entries(printSubgraphs(model)).map(
    ([name, sdl]) => `# subgraph ${name}\n${sdl.trim()}\n`,
  );
  return [
    `FUZZ_SEED=${seed} FUZZ_CASE=${graph}:${operation}`,
    ...subgraphs,
    generated.query,
    `variables: ${JSON.stringify(generated.variables)}`,
    ...lines,
    '',
  ].join('\n');
}

/** The same, with what differs. */
export function describeDifference(seed: string, failure: Failure): string {
  const { what, engine, monolith } = failure.difference;
  return describeFailure(seed, failure, [
    `differs in: ${what}`,
    `engine:     ${JSON.stringify(engine)}`,
    `graphql-js: ${JSON.stringify(monolith)}`,
  ]);
}
