import { expect, test } from '@jest/globals';
import { createTestGraph, testContext } from '../testing/graph.ts';

const { engine } = createTestGraph({
  subgraphs: { one: 'type Query { user: User } type User { id: ID }' },
  resolvers: { Query: { user: () => ({ id: '1' }) } },
});

const nested = (levels: number, open: string, inner: string) =>
  `${open.repeat(levels)}${inner}${' }'.repeat(levels)}`;

/** Fragments of which each spreads the next. */
function chain(levels: number): string {
  const names = Array.from({ length: levels }, (_, index) => `F${index}`);
  const bodies = [...names.slice(1).map((name) => `...${name}`), 'user { id }'];
  return `{ ...F0 } ${names.map((name, index) => `fragment ${name} on Query { ${bodies[index]} }`).join(' ')}`;
}

test.each<[string, (levels: number) => string]>([
  ['in each other', (levels) => `{ ${nested(levels, '... { ', 'user { id }')} }`],
  ['each spreads the next', chain],
  ['below a field', (levels) => `{ user { ${nested(levels, '... on User { ', 'id')} } }`],
])('an operation without limits has at most 200 levels of fragments: %s', async (_name, text) => {
  expect(await engine.execute({ query: text(200) }, testContext())).toEqual({ data: { user: { id: '1' } } });
  const { errors } = await engine.execute({ query: text(201) }, testContext());
  expect(errors?.map(({ message, extensions }) => [extensions.code, message])).toEqual([
    ['DEPTH_LIMIT_EXCEEDED', 'The operation has 201 levels of fragments; at most 200 are allowed.'],
  ]);
});
