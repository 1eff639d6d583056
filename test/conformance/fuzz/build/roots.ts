import {
  addField,
  addType,
  type Building,
  outputsOf,
  place,
  placed,
  randomField,
  wants,
} from './building.ts';

const QUERIES = [
  'all',
  'one',
  'top',
  'find',
  'search',
  'latest',
  'node',
  'feed',
  'home',
  'pick',
  'main',
  'rest',
];

/** The clients' operations: queries of each subgraph and of several, mutations, subscriptions. */
export function addRoots(building: Building): void {
  const { random, subgraphs } = building;
  addType(building, 'Query', 'root');
  const names = [...QUERIES];
  for (const subgraph of subgraphs) {
    place(building, subgraph, { name: 'Query' });
    for (let count = 1 + random.int(3); count > 0; count--) {
      const name = names.shift() ?? 'more';
      const others = subgraphs.filter((other) => other !== subgraph && placed(building, other, 'Query'));
      const owners =
        others.length > 0 && wants(building, 'sharedRoot', 20) ? [subgraph, random.pick(others)] : [subgraph];
      addField(building, 'Query', randomField(building, name, owners, 8), owners);
    }
  }
}

export function addMutations(building: Building): void {
  const { random, subgraphs } = building;
  addType(building, 'Mutation', 'root');
  for (const [index, subgraph] of random.sample(subgraphs, 2).entries()) {
    const payload = `Payload${index}`;
    place(building, subgraph, { name: 'Mutation' });
    place(building, subgraph, { name: payload });
    addType(building, payload, 'value');
    if (wants(building, 'payloadQuery', 70)) {
      const query = {
        name: 'query',
        type: random.pick(['Query', 'Query!']),
        args: [],
        members: ['Query'],
        isSure: true,
      };
      addField(building, payload, query, [subgraph]);
    }
    addField(building, payload, randomField(building, 'changed', [subgraph], 10), [subgraph]);
    const change = {
      ...randomField(building, `change${index}`, [subgraph], 100),
      type: payload,
      members: [payload],
    };
    addField(building, 'Mutation', change, [subgraph]);
    addField(building, 'Mutation', randomField(building, `touch${index}`, [subgraph], 30), [subgraph]);
  }
}

export function addSubscriptions(building: Building): void {
  const { random, subgraphs } = building;
  if (!wants(building, 'subscription', 50)) {
    return;
  }
  addType(building, 'Subscription', 'root');
  const subgraph = random.pick(subgraphs);
  place(building, subgraph, { name: 'Subscription' });
  if (outputsOf(building, [subgraph]).length > 0) {
    addField(building, 'Subscription', randomField(building, 'moved', [subgraph], 0), [subgraph]);
  }
}
