/**
 * Plans: which documents go to which subgraphs, in which order, and what the engine does with the answers. Values have the
 * plan's keys (see `ResponseKeys`).
 */
export type PlanNode =
  | FetchNode
  | BatchFetchNode
  | SequenceNode
  | ParallelNode
  | FlattenNode
  | ConditionNode
  | SubscriptionNode;

/** Runs the nodes one after the other. */
export interface SequenceNode {
  readonly kind: 'Sequence';
  readonly nodes: readonly PlanNode[];
}

/** Runs the nodes at the same time. */
export interface ParallelNode {
  readonly kind: 'Parallel';
  readonly nodes: readonly PlanNode[];
}

/** Runs one of two branches, chosen by a Boolean variable. */
export interface ConditionNode {
  readonly kind: 'Condition';
  readonly condition: string;
  readonly ifClause?: PlanNode | undefined;
  readonly elseClause?: PlanNode | undefined;
}

/** A subscription. The rest of the plan starts from the data of each event of `primary`. */
export interface SubscriptionNode {
  readonly kind: 'Subscription';
  readonly primary: FetchNode;
}

/**
 * Fetches `node` for the objects at `path`: entities by reference; root fields, where `node` has no `requires`, once for all
 * of them.
 */
export interface FlattenNode {
  readonly kind: 'Flatten';
  readonly path: PlanPath;
  readonly node: PlanNode;
}

/** The parts of every fetch. */
interface FetchDocument {
  readonly serviceName: string;
  /** The document to send. */
  readonly operation: string;
  /** Default: `query`. */
  readonly operationKind?: 'query' | 'mutation' | 'subscription' | undefined;
  readonly operationName?: string | undefined;
  /** Variables of the client's operation that the document uses. */
  readonly variableUsages?: readonly string[] | undefined;
}

/** The fields that a fetch of entities sends, and the changes of its answer. */
interface EntityDescription {
  /** The fields of each reference. */
  readonly requires?: readonly RequiresSelection[] | undefined;
  /** The type's name in the references. Default: that of the object. */
  readonly sendAs?: string | undefined;
  readonly renames?: readonly KeyRename[] | undefined;
}

/** Fetches root fields; inside a `Flatten`, entities by `_entities(representations: $representations)`. */
export interface FetchNode extends FetchDocument, EntityDescription {
  readonly kind: 'Fetch';
}

/** Fetches several lists of entities in one document. */
export interface BatchFetchNode extends FetchDocument {
  readonly kind: 'BatchFetch';
  readonly entityBatch: { readonly aliases: readonly EntityBatchAlias[] };
}

/** One `_entities` field of a `BatchFetch`. */
export interface EntityBatchAlias extends EntityDescription {
  readonly alias: string;
  readonly representationsVariableName: string;
  readonly paths: readonly PlanPath[];
  readonly requires: readonly RequiresSelection[];
}

/** A place of the data. `@` enters a list, a `TypeCondition` keeps objects of these types. */
export type PlanPath = readonly PlanPathSegment[];

export type PlanPathSegment =
  | { readonly Field: string }
  | { readonly TypeCondition: readonly string[] }
  | '@';

/** The fields of a reference, some of them for certain types or under conditions only. */
export type RequiresSelection = RequiresField | RequiresFragment;

export interface RequiresField {
  readonly kind: 'Field';
  /** Where the value is in the data. */
  readonly name: string;
  /** Its name in the subgraph. Default: `name`. */
  readonly alias?: string | undefined;
  readonly selections?: readonly RequiresSelection[] | undefined;
}

export interface RequiresFragment {
  readonly kind: 'InlineFragment';
  readonly typeCondition: string;
  readonly selections: readonly RequiresSelection[];
  /** Boolean variables. */
  readonly skipIf?: string | undefined;
  readonly includeIf?: string | undefined;
}

/** A key of an answer that gets another name. The path leads from an entity, or the root, to the key that was fetched. */
export interface KeyRename {
  readonly path: readonly string[];
  readonly to: string;
}
