import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { explainPlan } from '../engine/index.ts';

/** The options of `plan`: two files. */
interface PlanOptions {
  readonly supergraph: string;
  readonly query: string;
}

/** Reads the command line after `plan`. Returns its issues, if it has any. */
export function readPlanArguments(
  args: readonly string[],
): PlanOptions | { readonly issues: readonly string[] } {
  try {
    const { supergraph = '', query = '' } = parseArgs({
      args: [...args],
      options: { supergraph: { type: 'string' }, query: { type: 'string' } },
    }).values;
    const issues = [
      ...(supergraph === '' ? ['--supergraph is missing: it names the file of the supergraph.'] : []),
      ...(query === '' ? ['--query is missing: it names the file of the document to plan.'] : []),
    ];
    return issues.length > 0 ? { issues } : { supergraph, query };
  } catch (error) {
    return { issues: [error instanceof Error ? error.message : String(error)] };
  }
}

/** The plan of a document as text. @throws when a file cannot be read, or the document has no plan */
export function planOf({ supergraph, query }: PlanOptions): Promise<string> {
  return explainPlan(readFileSync(supergraph, 'utf8'), readFileSync(query, 'utf8'));
}
