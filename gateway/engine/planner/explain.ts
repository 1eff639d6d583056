import { type DocumentNode, isObjectType, Kind, parse, print } from 'graphql';
import { readOperation } from '../operation/document.ts';
import { readSupergraph } from '../supergraph/supergraph.ts';
import type { FetchNode, PlanNode, PlanPath, RequiresSelection } from './plan.ts';
import { createQueryPlanner } from './query-planner.ts';
import { divideRoot } from './root-fields.ts';

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

function pathText(path: PlanPath): string {
  const segments = path.map((segment) => {
    if (segment === '@') {
      return '[]';
    }
    return 'Field' in segment ? `.${segment.Field}` : `|${segment.TypeCondition.join('|')}|`;
  });
  return segments.join('').replace(/^\./, '');
}

function requiresText(selections: readonly RequiresSelection[]): string {
  const texts = selections.map((selection) => {
    const below =
      (selection.selections ?? []).length === 0 ? '' : ` { ${requiresText(selection.selections ?? [])} }`;
    return selection.kind === 'Field' ? `${selection.name}${below}` : `${selection.typeCondition}${below}`;
  });
  return texts.join(' ');
}

function documentText(document: string): string {
  const parsed: DocumentNode = parse(document, { noLocation: true });
  return print({
    ...parsed,
    definitions: parsed.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION),
  });
}

function fetchLines(
  { serviceName, operation }: Pick<FetchNode, 'serviceName' | 'operation'>,
  details: readonly string[],
) {
  return [
    `Fetch from ${serviceName}`,
    ...details.map((detail) => `  ${detail}`),
    indented(documentText(operation)),
  ];
}

function lines(node: PlanNode): string[] {
  const below = (child: PlanNode | undefined) =>
    child === undefined ? [] : lines(child).map((line) => indented(line));
  switch (node.kind) {
    case 'Sequence':
      return ['One after the other', ...node.nodes.flatMap(below)];
    case 'Parallel':
      return ['At the same time', ...node.nodes.flatMap(below)];
    case 'Condition':
      return [
        `If $${node.condition} is ${node.ifClause === undefined ? 'false' : 'true'}`,
        ...below(node.ifClause),
        ...below(node.elseClause),
      ];
    case 'Subscription':
      return ['For each event', ...below(node.primary)];
    case 'Flatten':
      return node.node.kind === 'Fetch'
        ? fetchLines(node.node, [
            `for ${pathText(node.path)}${node.node.requires === undefined ? '' : ` by ${requiresText(node.node.requires)}`}`,
          ])
        : below(node.node);
    case 'Fetch':
      return fetchLines(node, []);
    case 'BatchFetch':
      return fetchLines(
        node,
        node.entityBatch.aliases.map(
          ({ alias, paths, requires }) =>
            `${alias} for ${paths.map(pathText).join(', ')} by ${requiresText(requires)}`,
        ),
      );
  }
}

/** A plan as people read it. */
function planText(node: PlanNode): string {
  return lines(node).join('\n');
}

/**
 * Plans an operation over a supergraph, proves the plan right, and writes it as text.
 *
 * @param document it may use what is `@inaccessible`
 * @param operationName which of several operations it is
 * @throws when the supergraph cannot be read, the document is not valid, or there is no plan
 */
export async function explainPlan(
  supergraphSdl: string,
  document: string,
  operationName?: string,
): Promise<string> {
  const supergraph = readSupergraph(supergraphSdl);
  const valid = readOperation(document, operationName ?? null, supergraph.fullSchema);
  if ('errors' in valid) {
    throw new Error(valid.errors.map(({ message }) => message).join('\n'));
  }
  const { operation, fragments, conditionVariables } = valid;
  const planner = createQueryPlanner({ supergraph, verify: true });
  const context = { schema: supergraph.fullSchema, fragments, keys: planner.createKeys() };
  const rootType = supergraph.fullSchema.getRootType(operation.operation);
  if (!isObjectType(rootType)) {
    throw new Error(`The supergraph has no ${operation.operation}.`);
  }
  const { parts } = divideRoot(context, operation, rootType);
  const plan = await planner.plan({ operation, context, conditionVariables, parts });
  if ('errors' in plan) {
    throw new Error(plan.errors.map(({ message }) => message).join('\n'));
  }
  const texts = plan.nodes.flatMap((node) => (node === null ? [] : planText(node)));
  return texts.length === 0 ? 'Nothing is fetched.' : texts.join('\n\n');
}
