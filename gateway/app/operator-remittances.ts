import { createOperatorRemittances } from '../../subgraphs/remittances/index.ts';

type Deps = Parameters<typeof createOperatorRemittances>[0];

/** Remittances for the platform's operators, from the parts that all subgraphs share. */
export function operatorRemittancesOn(
  connection: Deps['connection'],
  {
    events,
    webhooks,
    clock,
    clocks,
    ...platform
  }: Pick<Deps, 'operatorLog' | 'tenants' | 'transaction'> & {
    readonly events: { readonly log: Deps['events'] };
    readonly webhooks: { readonly queue: Deps['webhooks'] };
    readonly clock: { readonly now: Deps['clock'] };
    readonly clocks: Pick<Deps, 'accountClock'>;
  },
) {
  const { operatorLog, tenants, transaction } = platform;
  return createOperatorRemittances({
    ...{ connection, operatorLog, tenants, transaction },
    ...{ events: events.log, webhooks: webhooks.queue, clock: clock.now },
    accountClock: clocks.accountClock,
  });
}
