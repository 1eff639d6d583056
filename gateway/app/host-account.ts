import type { AccountGraph } from '../../subgraphs/account/index.ts';
import { createNodes, type NodeEntity } from '../../subgraphs/account/node/nodes.ts';
import { createSearch } from '../../subgraphs/account/node/search.ts';
import { countUndelivered, type TimelineDeps } from '../../subgraphs/account/timeline/read-timeline.ts';
import { createTimelines } from '../../subgraphs/account/timeline/timeline.ts';
import { createVerdicts } from '../../subgraphs/account/verdict/verdicts.ts';
import type { SchemaExtension, SubgraphDefinition } from '../../subgraphs/graph/subgraph.ts';
import type { AccountClocks } from '../../subgraphs/kernel/clock/account-clock.ts';
import type { RequestReader } from '../../subgraphs/partners/request-log/reader.ts';
import type { Reveals } from '../../subgraphs/partners/request-log/reveals.ts';
import type { Events } from '../../subgraphs/runtime/events/index.ts';
import type { Webhooks } from '../../subgraphs/webhooks/webhooks.ts';

/** The types with a `nodeId`, by the subgraph that finds them. */
const NODES: Readonly<Record<string, Omit<NodeEntity, 'find'>[]>> = {
  operations: [
    { name: 'Operation', key: 'id' },
    { name: 'Reservation', key: 'correlationId' },
  ],
  users: [
    { name: 'User', key: 'id' },
    { name: 'Contact', key: 'id' },
    { name: 'PaymentMethod', key: 'id' },
  ],
  links: [
    { name: 'Link', key: 'id' },
    { name: 'WebhookDelivery', key: 'id' },
  ],
  'request-money': [
    { name: 'RequestMoney', key: 'referenceId', keyType: 'String' },
    { name: 'Remittance', key: 'correlationId' },
  ],
};

/**
 * Adds the account to one of the subgraphs: this part of the graph has no subgraph and no process of its own. @param host the
 * subgraph's name
 */
export function hostAccount(
  definitions: readonly SubgraphDefinition[],
  host: string,
  account: AccountGraph,
  {
    events,
    webhooks,
    requestLog,
    reveals,
    accountClock,
  }: {
    events: Pick<Events, 'history'>;
    webhooks: Pick<Webhooks, 'deliveries'>;
    requestLog: RequestReader;
    reveals: Reveals;
    accountClock: AccountClocks['accountClock'];
  },
): SubgraphDefinition[] {
  const merged = definitions.map((definition) =>
    definition.name === host
      ? {
          ...definition,
          resolvers: [...definition.resolvers, ...account.resolvers],
          references: { ...definition.references, ...account.references },
          search: [...(definition.search ?? []), ...(account.search ?? [])],
        }
      : definition,
  );
  const entities = merged.flatMap(entitiesOf);
  const sources = merged.flatMap(({ search = [] }) => search);
  const timelineDeps: TimelineDeps = {
    sources: merged.flatMap(({ timeline = [] }) => timeline),
    history: events.history,
    deliveries: webhooks.deliveries,
    requests: requestLog,
  };
  const timelines = createTimelines(timelineDeps);
  const verdicts = createVerdicts({
    sources: merged.flatMap((definition) => definition.verdicts ?? []),
    accountClock,
    countUndelivered: (accountId, record) => countUndelivered(timelineDeps, accountId, record),
  });
  return merged.map((definition) => {
    if (definition.name !== host) {
      return definition;
    }
    const nodes = { entities, references: definition.references };
    const search = createSearch({ ...nodes, sources, requests: requestLog, reveals });
    return { ...definition, extension: mergeExtensions(createNodes(nodes), search, timelines, verdicts) };
  });
}

/** In this order: `search` returns nodes, and timelines are of types that `nodes` adds. */
function mergeExtensions(...extensions: readonly SchemaExtension[]): SchemaExtension {
  const types = new Set(extensions.flatMap(({ resolvers }) => Object.keys(resolvers)));
  return {
    extend: (sdl) => extensions.reduce((extended, { extend }) => extend(extended), sdl),
    resolvers: Object.fromEntries(
      [...types].map((type) => [
        type,
        Object.assign({}, ...extensions.map(({ resolvers }) => resolvers[type] ?? {})),
      ]),
    ),
  };
}

function entitiesOf({ name, references }: SubgraphDefinition): NodeEntity[] {
  return (NODES[name] ?? []).flatMap((node) => {
    const find = references[node.name];
    return find ? [{ ...node, find }] : [];
  });
}
