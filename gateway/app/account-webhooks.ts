import type { AccountId } from '../../subgraphs/kernel/account.ts';
import type { UnitOfWork } from '../../subgraphs/kernel/database/unit-of-work.ts';
import { FIRST } from '../../subgraphs/partners/tenants/endpoint-store.ts';
import type { Tenants } from '../../subgraphs/partners/tenants/service.ts';
import { publicKeysOfAccount } from '../../subgraphs/webhooks/endpoint-view.ts';
import { movePause } from '../../subgraphs/webhooks/move-pause.ts';
import type { PublicKey } from '../../subgraphs/webhooks/signing-key.ts';
import type { Webhooks } from '../../subgraphs/webhooks/webhooks.ts';

/** The parts of the webhooks that the start and the HTTP application use. */
export interface AccountWebhooks {
  /** The keys that verify Ed25519 signatures of an account's webhooks; none for an unknown account. */
  readonly webhookKeys: (accountId: AccountId) => Promise<readonly PublicKey[]>;
  /** Moves the pause of an account's first endpoint in the transaction that changes its URL; null: it has none any more. */
  readonly movePause: (accountId: AccountId, to: string | null, unit: UnitOfWork) => void;
}

interface Deps {
  readonly tenants: Pick<Tenants, 'find' | 'findStored'>;
  readonly webhooks: Pick<Webhooks, 'endpoints'>;
  readonly clock: { now(): Date };
}

export function accountWebhooks({ tenants, webhooks: { endpoints }, clock }: Deps): AccountWebhooks {
  return {
    webhookKeys: async (accountId) => {
      const tenant = await tenants.find(accountId);
      return tenant ? publicKeysOfAccount(endpoints, tenant, clock.now()) : [];
    },
    movePause: (accountId, to, unit) => movePause({ tenants, endpoints }, accountId, FIRST, to, unit),
  };
}
