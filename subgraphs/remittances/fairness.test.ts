import { describe, expect, test } from '@jest/globals';
import { until } from '../../test/support/until.ts';
import { environmentOf } from '../kernel/account.ts';
import { acme, bodyOf, principal, send, usePipelineBench } from './testing.ts';

const bench = usePipelineBench();

describe('fairness', () => {
  test('a tenant whose provider hangs has a quarter of the concurrent steps, and others go on', async () => {
    bench.tenants.set('globex/sandbox', { ...acme, accountId: 'globex/sandbox' as const });
    let hanging = 0;
    const pipeline = bench.start({
      providers: {
        ...bench.deps.providers,
        identity: {
          names: { sandbox: 'test', live: 'test' },
          check: async (_person, { accountId }) => {
            if (accountId === 'acme/sandbox') {
              hanging += 1;
              await new Promise(() => undefined);
            }
            return { kind: 'accepted' };
          },
        },
      },
    });
    for (let call = 0; call < 10; call += 1) {
      await bench.accept(pipeline);
    }
    for (let call = 0; call < 10; call += 1) {
      await send(pipeline, { ...principal, accountId: 'globex/sandbox' }, bodyOf());
    }
    await pipeline.worker.sweep();
    await until('all of the other tenant', async () => (await bench.count('operations')) === 10);
    expect(hanging).toBe(8);
    expect(await bench.count('operations', { accountId: 'acme/sandbox' })).toBe(0);
  });

  test("a tenant's sandbox that hangs has a quota of its own, and its live calls go on", async () => {
    let hanging = 0;
    const accepted = async () => ({ kind: 'accepted' }) as const;
    const pipeline = bench.start({
      providers: {
        ...bench.deps.providers,
        requireConfigured: () => ({ ok: true, value: undefined }),
        ubn: { verify: accepted },
        funding: { request: accepted, cancel: async () => ({ kind: 'cancelled' }) },
        identity: {
          names: { sandbox: 'test', live: 'test' },
          check: async (_person, { accountId }) => {
            if (environmentOf(accountId) === 'sandbox') {
              hanging += 1;
              await new Promise(() => undefined);
            }
            return { kind: 'accepted' };
          },
        },
      },
    });
    for (let call = 0; call < 10; call += 1) {
      await bench.accept(pipeline);
    }
    await until('8 steps held', () => hanging === 8);
    const live = await send(pipeline, { ...principal, accountId: 'acme/live' }, bodyOf());
    expect(live).toMatchObject({ ok: true });
    await pipeline.worker.sweep();
    await until('the live one', async () => (await bench.count('operations')) === 1);
    expect(hanging).toBe(8);
  });

  test('more than can run at once are all done, without another sweep', async () => {
    const held: (() => void)[] = [];
    let isHeld = true;
    const pipeline = bench.start({
      providers: {
        ...bench.deps.providers,
        identity: {
          names: { sandbox: 'test', live: 'test' },
          check: async () => {
            if (isHeld) {
              await new Promise<void>((resolve) => {
                held.push(resolve);
              });
            }
            return { kind: 'accepted' };
          },
        },
      },
    });
    // A tenant may run 8 steps at once: all 8 run before the others come.
    for (let call = 0; call < 8; call += 1) {
      await bench.accept(pipeline);
    }
    await until('8 steps held', () => held.length === 8);
    for (let call = 0; call < 12; call += 1) {
      await bench.accept(pipeline);
    }
    isHeld = false;
    for (const goOn of held) {
      goOn();
    }
    await until('all', async () => (await bench.count('remittances', { status: 'SUCCEEDED' })) === 20);
    expect(await bench.count('testDeliveries')).toBe(20);
    expect(held).toHaveLength(8);
  });
});
