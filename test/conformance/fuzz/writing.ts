import type { GraphQLCompositeType, GraphQLSchema } from 'graphql';
import type { Random } from './random.ts';

/** An operation with values for its variables. */
export interface GeneratedOperation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Its features; see `features.ts`. */
  readonly features: ReadonlySet<string>;
}

/** An operation that is being written. */
export interface Writing {
  readonly schema: GraphQLSchema;
  readonly random: Random;
  readonly options: OperationOptions;
  readonly features: Set<string>;
  readonly definitions: string[];
  readonly variables: Record<string, unknown>;
  readonly fragments: { readonly name: string; readonly on: GraphQLCompositeType; readonly text: string }[];
  /** Fields that may still be written. */
  budget: number;
}

/** The features that operations leave out, so that other faults can be found while one is known. */
export interface OperationOptions {
  readonly without: ReadonlySet<string>;
}
