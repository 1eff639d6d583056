import type { FollowEvents } from '../graph/event-subscription.ts';
import type { SubgraphDefinition } from '../graph/subgraph.ts';
import type { Logger } from '../kernel/log/log.ts';
import type { Reveals } from '../partners/request-log/reveals.ts';
import type { EventHistory } from '../runtime/events/index.ts';
import { createLinkStores, createLinksDeps, type LinksDependencies, type LinksPortDeps } from './deps.ts';
import { createActivityResolver } from './graphql/activity-subscription.ts';
import { LinkContactDataResolver } from './graphql/contact-data.ts';
import { createLinkPresenter } from './graphql/link.type.ts';
import { linkTimeline } from './graphql/link-timeline.ts';
import { InternalLinkMutations, LinkMutations } from './graphql/mutations.ts';
import { resolveLinks } from './graphql/references.ts';
import { LinkResolver, OperationLinkResolver, UserLinksResolver } from './graphql/resolvers.ts';
import { LinkSimulationMutations } from './graphql/simulation.ts';
import type { LinksPort } from './port.ts';
import {
  createInternalLinkService,
  createLinkService,
  createLinkSimulation,
  createLinksPort as portOf,
} from './service.ts';
import { expireLinks } from './use-cases/expire-links.ts';
import { searchLinks } from './use-cases/search-links.ts';

export { ACTIVITY_TYPES } from './activity.ts';
export { linkJsonSchemas } from './commands/json-schema.ts';
export type { LinksPort } from './port.ts';

/** The links slice: links, their timelines, identity-check tickets and data requests (document 3). */
export function createLinks(
  dependencies: LinksDependencies & {
    follow: FollowEvents;
    history: EventHistory;
    /** Address of the REST surface for clients, without a slash at its end. */
    publicUrl: string;
    log: Logger;
    /** Keeps on record who reads contact data in the console. */
    reveals: Reveals;
  },
): { subgraph: SubgraphDefinition; port: LinksPort; expireDueLinks(): Promise<number> } {
  const { follow, history, publicUrl, log, reveals, ...rest } = dependencies;
  const deps = createLinksDeps(rest);
  const links = createLinkService(deps);
  const present = createLinkPresenter(publicUrl);
  const resolving = { links, present };
  return {
    subgraph: {
      name: 'links',
      resolvers: [
        new LinkResolver(resolving),
        new LinkContactDataResolver(reveals),
        new UserLinksResolver(resolving),
        new OperationLinkResolver(resolving),
        new LinkMutations(resolving),
        new InternalLinkMutations({ links: createInternalLinkService(deps), present }),
        new LinkSimulationMutations({ links: createLinkSimulation(deps), present }),
        createActivityResolver({ ...resolving, follow }),
      ],
      references: {
        Link: resolveLinks(links, present),
      },
      search: [searchLinks(deps)],
      timeline: [linkTimeline(deps, history)],
    },
    port: portOf(deps),
    expireDueLinks: async () => {
      const expired = await expireLinks(deps);
      if (expired > 0) {
        log.info({ expired }, 'links.expired');
      }
      return expired;
    },
  };
}

/** The functions for other slices, without the subgraph. */
export function createLinksPort({
  users,
  events,
  ...store
}: Pick<LinksDependencies, 'connection' | 'box'> & Pick<LinksPortDeps, 'users' | 'events'>): LinksPort {
  return portOf({ ...createLinkStores(store), users, events });
}
