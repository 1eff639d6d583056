import { composeServices } from '@theguild/federation-composition';
import { type GraphQLSchema, parse, printSchema } from 'graphql';
import { readSupergraph } from '../gateway/engine/index.ts';
import type { Subgraph } from '../subgraphs/graph/subgraph.ts';

/** A generated file: its path in the project, and its required content. */
export interface SchemaFile {
  readonly name: string;
  readonly text: string;
}

/** The results of composing the subgraphs. */
interface Composed {
  /** One SDL for each subgraph, the supergraph that the gateway plans with, and the API schema that clients see. */
  readonly files: readonly SchemaFile[];
  /** The whole graph, including parts that are hidden from clients. */
  readonly fullSchema: GraphQLSchema;
}

/**
 * Composes the subgraphs.
 * @throws Error with every reason why they do not compose
 */
export function composeSubgraphs(subgraphs: readonly Subgraph[]): Composed {
  const composed = composeServices(subgraphs.map(({ name, sdl }) => ({ name, typeDefs: parse(sdl) })));
  if (!composed.supergraphSdl) {
    throw new Error(['The subgraphs do not compose:', ...(composed.errors ?? []).map(String)].join('\n  '));
  }
  const { publicSchema, fullSchema } = readSupergraph(composed.supergraphSdl);
  const files = [
    ...subgraphs.map(({ name, sdl }) => ({ name: `schema/${name}.graphql`, text: sdl })),
    { name: 'schema/supergraph.graphql', text: `${composed.supergraphSdl.trim()}\n` },
    { name: 'schema/api.graphql', text: `${printSchema(publicSchema)}\n` },
  ];
  return { files, fullSchema };
}
