import type { Connection } from 'mongoose';
import type { Environment } from '../../subgraphs/kernel/account.ts';
import type { RunTransaction } from '../../subgraphs/kernel/database/transaction.ts';
import type { Logger } from '../../subgraphs/kernel/log/log.ts';
import { createSandboxClocks, type SandboxClocks } from '../../subgraphs/partners/sandboxes/clocks.ts';
import { createSandboxModel } from '../../subgraphs/partners/sandboxes/model.ts';
import { createSandboxResets, type SandboxResets } from '../../subgraphs/partners/sandboxes/resets.ts';
import { createSandboxes, type Sandboxes } from '../../subgraphs/partners/sandboxes/sandboxes.ts';
import type { Webhooks } from '../../subgraphs/webhooks/webhooks.ts';
import { createResetSources } from './sandbox-records.ts';

/** The clocks of sandboxes, and their resets. */
export function createSandboxWork(
  connection: Connection,
  deps: {
    readonly environments: readonly Environment[];
    readonly transaction: RunTransaction;
    readonly clock: () => Date;
    readonly log: Logger;
  },
): { readonly clocks: SandboxClocks; readonly resets: SandboxResets } {
  const model = createSandboxModel(connection);
  const clocks = createSandboxClocks({ ...deps, model });
  const sources = createResetSources(connection);
  return { clocks, resets: createSandboxResets({ ...deps, model, sources, clocks }) };
}

/** Partners' control of their sandboxes, from the parts that all subgraphs share. */
export function sandboxesOn(
  connection: Connection,
  {
    clock,
    webhooks,
    ...platform
  }: {
    readonly clocks: SandboxClocks;
    readonly resets: SandboxResets;
    readonly transaction: RunTransaction;
    readonly webhooks: Pick<Webhooks, 'advance'>;
    readonly clock: { readonly now: () => Date };
  },
): Sandboxes {
  return createSandboxes({
    ...platform,
    model: createSandboxModel(connection),
    advanceWebhooks: webhooks.advance,
    clock: clock.now,
  });
}
