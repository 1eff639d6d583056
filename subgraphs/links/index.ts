import type { Connection } from 'mongoose';
import type { SubgraphDefinition } from '../platform/graphql/subgraph.ts';
import { createLinkModel } from './model.ts';
import { resolveLinks } from './reference.ts';
import { LinkResolver, UserLinksResolver } from './resolver.ts';
import { createLinkService, type LinkServiceDeps } from './service.ts';

/** The links slice: links, their activity, and data requests. */
export function createLinks(deps: Omit<LinkServiceDeps, 'model'> & { connection: Connection }): {
  subgraph: SubgraphDefinition;
} {
  const { connection, ...rest } = deps;
  const links = createLinkService({ ...rest, model: createLinkModel(connection) });
  return {
    subgraph: {
      name: 'links',
      resolvers: [new LinkResolver(links), new UserLinksResolver(links)],
      references: { Link: resolveLinks(links) },
    },
  };
}
