import { OverlappingFieldsCanBeMergedRule, parse, validate } from 'graphql';
import type { TestGraph } from '../../../gateway/engine/testing/index.ts';
import { buildComposedModel, type ComposedModel } from './build/index.ts';
import { createComparison, type Difference } from './compare.ts';
import { count, type FeatureCounts } from './features.ts';
import type { Model } from './model.ts';
import { writeOperation } from './operations.ts';
import { createRandom } from './random.ts';
import { createFuzzGraph } from './resolvers.ts';
import { createRunState, type RunState } from './world.ts';
import type { GeneratedOperation } from './writing.ts';

interface FuzzOptions {
  readonly seed: string;
  /** The first graph, the first operation of it, and the graph after the last one. */
  readonly from: number;
  readonly fromOperation?: number;
  readonly to: number;
  readonly operationsOfGraph: number;
  /** Features that graphs and operations do not have. */
  readonly without: ReadonlySet<string>;
  /** One case of all: the graph's number and the operation's. */
  readonly only?: readonly [number, number];
  /** Called before a case is run, which may end the process. */
  onCase?(graph: number, operation: number): void;
  /** Called with what one graph added. */
  onGraph?(report: FuzzReport): void | Promise<void>;
}

/** A case whose answers differ. */
export interface Failure {
  readonly graph: number;
  readonly operation: number;
  readonly model: Model;
  readonly generated: GeneratedOperation;
  readonly difference: Difference;
}

export interface FuzzReport {
  operations: number;
  graphs: number;
  /** Graphs that composition rejected. */
  uncomposed: number;
  /** Operations that are not valid. */
  invalid: number;
  /** How often each feature has occurred. */
  readonly features: FeatureCounts;
  readonly failures: Failure[];
}

/** Operations are valid by the way they are written but for one rule: a fragment that is used again may not fit there. */
const isMergeable = (graph: TestGraph, { query }: GeneratedOperation): boolean =>
  validate(graph.monolith, parse(query), [OverlappingFieldsCanBeMergedRule]).length === 0;

/** Makes a graph; `null` when it cannot be composed. */
function makeModel({ seed, without }: FuzzOptions, number: number): ComposedModel | null {
  try {
    return buildComposedModel(`${seed}/${number}`, { without });
  } catch {
    // Counted: too many of them fail the test.
    return null;
  }
}

async function runGraph(options: FuzzOptions, number: number, report: FuzzReport): Promise<void> {
  const { seed, without, only } = options;
  const composed = makeModel(options, number);
  const state: RunState = { ...createRunState(), features: report.features };
  report.graphs += 1;
  if (composed === null) {
    report.uncomposed += 1;
    return;
  }
  const { model } = composed;
  const graph = createFuzzGraph(composed, state);
  const { compare } = createComparison(graph, state);
  const first = number === options.from ? (options.fromOperation ?? 0) : 0;
  for (let operation = first; operation < options.operationsOfGraph; operation++) {
    if (only !== undefined && only[1] !== operation) {
      continue;
    }
    const random = createRandom(`${seed}/${number}/${operation}`);
    const generated = writeOperation(graph.monolith, random, { without });
    if (!isMergeable(graph, generated)) {
      report.invalid += 1;
      continue;
    }
    options.onCase?.(number, operation);
    graph.fetches.length = 0;
    graph.internalErrors.length = 0;
    const difference = await compare(generated);
    report.operations += 1;
    count(report.features, generated.features);
    if (difference !== null) {
      report.failures.push({ graph: number, operation, model, generated, difference });
    }
  }
}

function add(total: FuzzReport, more: FuzzReport): void {
  total.operations += more.operations;
  total.graphs += more.graphs;
  total.uncomposed += more.uncomposed;
  total.invalid += more.invalid;
  total.failures.push(...more.failures);
  for (const [feature, times] of more.features) {
    total.features.set(feature, (total.features.get(feature) ?? 0) + times);
  }
}

export const createReport = (): FuzzReport => ({
  operations: 0,
  graphs: 0,
  uncomposed: 0,
  invalid: 0,
  features: new Map(),
  failures: [],
});

/** Runs random operations over random graphs. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const total = createReport();
  for (let number = options.from; number < options.to; number++) {
    if (options.only === undefined || options.only[0] === number) {
      const report = createReport();
      await runGraph(options, number, report);
      await options.onGraph?.(report);
      add(total, report);
    }
  }
  return total;
}
