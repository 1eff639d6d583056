import { composeServices } from '@theguild/federation-composition';
import { parse, printSchema } from 'graphql';
import { readSupergraph } from '../gateway/engine/index.ts';
import type { Subgraph } from '../subgraphs/platform/graphql/subgraph.ts';

/** A file of `schema/`, by name. */
export interface SchemaFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Composes the subgraphs: one SDL each, the supergraph that the gateway plans with, and the API schema that clients see.
 * @throws with every reason why they do not compose
 */
export function composeFiles(subgraphs: readonly Subgraph[]): SchemaFile[] {
  const composed = composeServices(subgraphs.map(({ name, sdl }) => ({ name, typeDefs: parse(sdl) })));
  if (!composed.supergraphSdl) {
    throw new Error(['The subgraphs do not compose:', ...(composed.errors ?? []).map(String)].join('\n  '));
  }
  const { publicSchema } = readSupergraph(composed.supergraphSdl);
  return [
    ...subgraphs.map(({ name, sdl }) => ({ name: `${name}.graphql`, text: sdl })),
    { name: 'supergraph.graphql', text: `${composed.supergraphSdl.trim()}\n` },
    { name: 'api.graphql', text: `${printSchema(publicSchema)}\n` },
  ];
}
