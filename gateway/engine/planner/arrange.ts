import type { OperationDefinitionNode } from 'graphql';
import type { Alternatives } from '../conditions.ts';
import { type Bundle, bundlesOf, referencesOf } from './bundles.ts';
import { alternativesText, type ConditionWriter } from './conditions.ts';
import { assignAliases, type DocumentWriter, pathOf, pathOfGroup } from './documents.ts';
import type { Model } from './model.ts';
import { requiresOf } from './own-wants.ts';
import type {
  EntityBatchAlias,
  FetchNode,
  KeyRename,
  PlanNode,
  PlanPath,
  RequiresSelection,
} from './plan.ts';
import { remember } from './remember.ts';
import type { Group } from './tree.ts';

/** Entities that a request fetches by one `_entities` field. */
interface EntityPart {
  readonly paths: PlanPath[];
  readonly text: string;
  readonly requires: RequiresSelection[];
  readonly sendAs?: string;
  readonly renames: readonly KeyRename[];
}

interface Request {
  readonly subgraph: string;
  readonly level: number;
  /** When it is made. */
  readonly anyOf: Alternatives;
  readonly groups: Group[];
  readonly variables: Set<string>;
  readonly content:
    | {
        readonly kind: 'root';
        readonly path: PlanPath;
        readonly text: string;
        readonly renames: readonly KeyRename[];
      }
    | { readonly kind: 'entities'; readonly parts: EntityPart[] };
}

interface ArrangeDeps {
  readonly model: Model;
  readonly conditions: ConditionWriter;
  readonly writer: DocumentWriter;
  readonly operation: OperationDefinitionNode;
  /** Writes the definitions of variables. */
  defineVariables(names: ReadonlySet<string>): string;
  /** Counts the characters of documents. */
  readonly written: { characters: number };
}

function levelsOf(groups: readonly Group[]): Map<Group, number> {
  const levels = new Map<Group, number>();
  const levelOf = (group: Group): number =>
    remember(levels, group, () => 1 + Math.max(-1, ...[...group.needs].map(levelOf)));
  groups.forEach(levelOf);
  return levels;
}

/** Turns the fetches of an operation into a plan. */
export class Arrangement {
  constructor(private readonly deps: ArrangeDeps) {}

  arrange(groups: readonly Group[]): PlanNode {
    const levels = levelsOf(groups);
    const requests = new Map<string, Request>();
    const reasonsOf = ({ reasons }: Group) => alternativesText(this.deps.conditions.simplify(reasons.anyOf));
    const bundles = bundlesOf(this.deps.model, groups, reasonsOf).map((bundle) => ({
      bundle,
      path: pathOfGroup({ site: bundle[0].site, references: referencesOf(bundle) }),
    }));
    for (const { bundle, path } of bundles) {
      this.addBundle(requests, bundle, levels.get(bundle[0]) ?? 0, path);
    }
    const components = componentsOf([...requests.values()]);
    return parallel(components.map((component) => this.inWaves(component)));
  }

  private addBundle(requests: Map<string, Request>, bundle: Bundle, level: number, path: PlanPath): void {
    const { conditions, writer } = this.deps;
    const [group] = bundle;
    const isSubscription = level === 0 && this.deps.operation.operation === 'subscription';
    const anyOf = isSubscription ? [[]] : conditions.simplify(group.reasons.anyOf);
    const renames = assignAliases(bundle.map(({ selection }) => selection));
    if (group.references.size === 0) {
      const { text, variables } = writer.write(group.selection, anyOf);
      const content = { kind: 'root', path: pathOf(group.site), text, renames } as const;
      requests.set(`root ${group.id}`, {
        subgraph: group.subgraph,
        level,
        anyOf,
        groups: [group],
        variables: new Set(variables),
        content,
      });
      return;
    }
    const id = `${level} ${group.subgraph} ${alternativesText(anyOf)}`;
    const request = remember(
      requests,
      id,
      (): Request => ({
        subgraph: group.subgraph,
        level,
        anyOf,
        groups: [],
        variables: new Set(),
        content: { kind: 'entities', parts: [] },
      }),
    );
    request.groups.push(...bundle);
    if (request.content.kind === 'entities') {
      for (const part of this.partsOf(bundle, path, anyOf, renames, request.variables)) {
        addPart(request.content.parts, part);
      }
    }
  }

  private partsOf(
    bundle: Bundle,
    path: PlanPath,
    anyOf: Alternatives,
    renames: readonly KeyRename[],
    variables: Set<string>,
  ): EntityPart[] {
    const { model } = this.deps;
    const parts = new Map<string, EntityPart>();
    const direct: { texts: string[]; requires: RequiresSelection[] } = { texts: [], requires: [] };
    for (const [cls, references] of referencesOf(bundle)) {
      const { owner, subgraph } = references[0].entrance;
      const text = `...on ${owner}{${this.fieldsOf(bundle, cls, anyOf, variables)}}`;
      const requires = requiresOf(model, cls, references);
      if (!model.isInterfaceObject(owner, subgraph)) {
        direct.texts.push(text);
        direct.requires.push(requires);
        continue;
      }
      const known = parts.get(text);
      if (known !== undefined) {
        known.requires.push(requires);
        continue;
      }
      parts.set(text, { paths: [path], text, requires: [requires], sendAs: owner, renames });
    }
    if (direct.texts.length > 0) {
      const text = direct.texts.join(' ');
      parts.set('', { paths: [path], text, requires: direct.requires, renames });
    }
    return [...parts.values()];
  }

  /** The fields that a bundle fetches of objects of a class. */
  private fieldsOf(bundle: Bundle, cls: string, anyOf: Alternatives, variables: Set<string>): string {
    const { writer } = this.deps;
    const written = bundle
      .filter(({ references }) => references.has(cls))
      .map(({ selection }) =>
        selection.type === null ? writer.writeClass(selection, cls, anyOf) : writer.write(selection, anyOf),
      );
    for (const variable of written.flatMap((one) => [...one.variables])) {
      variables.add(variable);
    }
    return written.map(({ text }) => text).join(' ');
  }

  private inWaves(requests: readonly Request[]): PlanNode {
    const levels = [...new Set(requests.map(({ level }) => level))].sort((one, other) => one - other);
    const waves = levels.map((level) =>
      parallel(requests.filter((request) => request.level === level).map((request) => this.nodeOf(request))),
    );
    return sequence(waves);
  }

  private nodeOf(request: Request): PlanNode {
    const fetch = this.fetchOf(request);
    const condition = this.deps.conditions.conditionFor(request.anyOf);
    if (condition === null) {
      return fetch;
    }
    return {
      kind: 'Condition',
      condition: condition.variable,
      ...(condition.equals ? { ifClause: fetch } : { elseClause: fetch }),
    };
  }

  private fetchOf({ subgraph, level, content, variables }: Request): PlanNode {
    const { operation } = this.deps;
    if (content.kind === 'entities') {
      return this.entitiesOf(subgraph, content.parts, variables);
    }
    const isFirst = content.path.length === 0;
    const operationKind = isFirst ? operation.operation : 'query';
    const defined = this.deps.defineVariables(variables);
    const fetch: FetchNode = {
      kind: 'Fetch',
      serviceName: subgraph,
      operationKind,
      operation: this.count(`${operationKind}${defined === '' ? '' : `(${defined})`}{${content.text}}`),
      variableUsages: [...variables],
      renames: content.renames,
    };
    if (!isFirst) {
      return { kind: 'Flatten', path: content.path, node: fetch };
    }
    return operationKind === 'subscription' && level === 0 ? { kind: 'Subscription', primary: fetch } : fetch;
  }

  private entitiesOf(
    subgraph: string,
    parts: readonly EntityPart[],
    variables: ReadonlySet<string>,
  ): PlanNode {
    const defined = this.deps.defineVariables(variables);
    const common = { serviceName: subgraph, operationKind: 'query', variableUsages: [...variables] } as const;
    const [only] = parts;
    const [path, another] = only?.paths ?? [];
    if (
      only !== undefined &&
      parts.length === 1 &&
      path !== undefined &&
      another === undefined &&
      !variables.has('representations')
    ) {
      const document = `query($representations:[_Any!]!${defined}){_entities(representations:$representations){${only.text}}}`;
      const { requires, sendAs, renames } = only;
      const operation = this.count(document);
      return {
        kind: 'Flatten',
        path,
        node: { kind: 'Fetch', ...common, operation, requires, sendAs, renames },
      };
    }
    let prefix = 'representations';
    while ([...variables].some((name) => name.startsWith(prefix))) {
      prefix = `_${prefix}`;
    }
    const aliases = parts.map(
      ({ paths, requires, sendAs, renames }, index): EntityBatchAlias => ({
        alias: `_e${index}`,
        representationsVariableName: `${prefix}${index}`,
        paths,
        requires,
        sendAs,
        renames,
      }),
    );
    const own = aliases.map((alias) => `$${alias.representationsVariableName}:[_Any!]!`).join('');
    const fields = aliases.map(
      ({ alias, representationsVariableName }, index) =>
        `${alias}:_entities(representations:$${representationsVariableName}){${parts[index]?.text}}`,
    );
    const operation = this.count(`query(${own}${defined}){${fields.join(' ')}}`);
    return { kind: 'BatchFetch', ...common, operation, entityBatch: { aliases } };
  }

  private count(document: string): string {
    this.deps.written.characters += document.length;
    return document;
  }
}

/** Adds a part, or its places to a part that is the same otherwise: then each object is sent once. */
function addPart(parts: EntityPart[], part: EntityPart): void {
  const textOf = ({ text, requires, renames }: EntityPart) => JSON.stringify([text, requires, renames]);
  const same = parts.find((one) => one.text === part.text && textOf(one) === textOf(part));
  if (same === undefined) {
    parts.push(part);
  } else {
    same.paths.push(...part.paths);
  }
}

/** Requests that need each other, directly or not. */
function componentsOf(requests: readonly Request[]): Request[][] {
  const byGroup = new Map(
    requests.flatMap((request) => request.groups.map((group) => [group, request] as const)),
  );
  const above = new Map<Request, Request>();
  const topOf = (request: Request): Request => {
    const next = above.get(request);
    return next === undefined ? request : topOf(next);
  };
  for (const request of requests) {
    for (const need of request.groups.flatMap((group) => [...group.needs])) {
      const other = byGroup.get(need);
      if (other !== undefined && topOf(other) !== topOf(request)) {
        above.set(topOf(request), topOf(other));
      }
    }
  }
  const components = new Map<Request, Request[]>();
  for (const request of requests) {
    const top = topOf(request);
    remember(components, top, () => []).push(request);
  }
  return [...components.values()];
}

function parallel(nodes: readonly PlanNode[]): PlanNode {
  const [only] = nodes;
  return only !== undefined && nodes.length === 1 ? only : { kind: 'Parallel', nodes };
}

function sequence(nodes: readonly PlanNode[]): PlanNode {
  const [only] = nodes;
  return only !== undefined && nodes.length === 1 ? only : { kind: 'Sequence', nodes };
}
