import { expect, test } from '@jest/globals';
import { succeed } from '../kernel/errors/result.ts';
import { bodyOf, CARD, principal, send, usePipelineBench } from './testing.ts';

const bench = usePipelineBench();

test('a live call fails before anything is stored while a provider that it needs is not configured', async () => {
  const live = { ...principal, accountId: 'acme/live' as const } as const;
  const required: (readonly string[])[] = [];
  const requireConfigured = bench.deps.providers.requireConfigured;
  const pipeline = bench.start({
    providers: {
      ...bench.deps.providers,
      requireConfigured: (environment, names) => {
        required.push(names);
        return requireConfigured(environment, names);
      },
    },
  });
  const body = bodyOf({ method: CARD });
  expect(await send(pipeline, live, body)).toMatchObject({
    failures: [{ code: 'PROVIDER_NOT_CONFIGURED' }],
  });
  expect(required).toEqual([['identity', 'cards', 'funding']]);
  for (const stored of ['remittances', 'users', 'uniqueValues', 'testEvents']) {
    expect([stored, await bench.count(stored)]).toEqual([stored, 0]);
  }
});

test('a live call whose provider is not configured any more is tried again, and never answered by the sandbox', async () => {
  const live = { ...principal, accountId: 'acme/live' as const } as const;
  const { requireConfigured: _, ...providers } = bench.deps.providers;
  const pipeline = bench.start({
    providers: { ...providers, requireConfigured: () => succeed(undefined) },
  });
  const body = bodyOf({ requester: { lastName: 'CIPFAIL' } });
  expect((await send(pipeline, live, body)).ok).toBe(true);
  await bench.run(pipeline);
  expect(await bench.stored(body.request.correlationId)).toMatchObject({
    status: 'IN_PROGRESS',
    attempts: 1,
    lastError: { code: 'ERROR_INTERNAL_SERVER_ERROR' },
  });
});
