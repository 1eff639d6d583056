import { expect, test } from '@jest/globals';
import type { ExecutionResult } from 'graphql';
import { accountOf } from '../../../subgraphs/kernel/account.ts';
import type { RequestContext } from '../../../subgraphs/kernel/principal.ts';
import { BoundedQueue } from '../../engine/index.ts';
import { createTestGraph } from '../../engine/testing/index.ts';
import { createSubscriptionLimit, limitSubscriptions } from './subscription-limit.ts';

const stream = () => new BoundedQueue<ExecutionResult>({ limit: 10 });
const TOO_MANY = { errors: [{ extensions: { code: 'SUBSCRIPTION_LIMIT_EXCEEDED' } }] };

test('an owner has a limit of open subscriptions, and an ended one makes room', async () => {
  const subscriptions = createSubscriptionLimit(2, 'here');
  const open = (owner: string) => subscriptions.open(owner, async () => stream());
  const first = await open('a');
  await open('a');
  expect(await open('a')).toMatchObject(TOO_MANY);
  expect(await open('b')).toHaveProperty('next');
  await (first as AsyncIterableIterator<ExecutionResult>).return?.();
  expect(await open('a')).toHaveProperty('next');
  expect(await open('a')).toMatchObject(TOO_MANY);
});

test('a subscription that does not start does not count', async () => {
  const subscriptions = createSubscriptionLimit(1, 'here');
  const fails = () => Promise.reject(new Error('away'));
  await expect(subscriptions.open('a', fails)).rejects.toThrow('away');
  expect(await subscriptions.open('a', async () => ({ errors: [] }))).toEqual({ errors: [] });
  expect(await subscriptions.open('a', async () => stream())).toHaveProperty('next');
});

test('the engine has the currently served schema', () => {
  const engineOf = (field: string) =>
    createTestGraph({ subgraphs: { one: `type Query { ${field}: Int }` } }).engine;
  const [first, second] = [engineOf('a'), engineOf('b')];
  let current = first;
  const limited = limitSubscriptions(
    {
      ...first,
      get publicSchema() {
        return current.publicSchema;
      },
    },
    1,
    1,
  );
  expect(limited.publicSchema).toBe(first.publicSchema);
  current = second;
  expect(limited.publicSchema).toBe(second.publicSchema);
});

test('callers without a key do not share a limit', async () => {
  const { engine } = createTestGraph({
    subgraphs: { one: 'type Query { a: Int } type Subscription { n: Int }' },
    resolvers: { Subscription: { n: { subscribe: stream } } },
  });
  const limited = limitSubscriptions(engine, 1, 1);
  const context: RequestContext = { principal: null, requestId: 'r-1' };
  for (let opened = 0; opened < 3; opened += 1) {
    expect(await limited.subscribe({ query: 'subscription { n }' }, context)).toHaveProperty('next');
  }
});

test('keys of a partner share a limit, for each environment', async () => {
  const { engine } = createTestGraph({
    subgraphs: { one: 'type Query { a: Int } type Subscription { n: Int }' },
    resolvers: { Subscription: { n: { subscribe: stream } } },
  });
  const limited = limitSubscriptions(engine, 2, 2);
  const open = (keyId: string, environment: 'sandbox' | 'live' = 'live') =>
    limited.subscribe(
      { query: 'subscription { n }' },
      {
        principal: { accountId: accountOf('acme', environment), keyId, scopes: ['partner'] },
        requestId: 'r-1',
      },
    );
  for (const keyId of ['one', 'one', 'two', 'two']) {
    expect(await open(keyId)).toHaveProperty('next');
  }
  for (const keyId of ['one', 'two', 'three']) {
    expect(await open(keyId)).toMatchObject(TOO_MANY);
  }
  expect(await open('four', 'sandbox')).toHaveProperty('next');
});
