import type { AccountId } from '../kernel/account.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Tenants } from '../partners/tenants/service.ts';
import type { Endpoints } from './endpoints.ts';
import { receiverOf, urlsOf } from './receivers.ts';

interface MovePauseDeps {
  readonly tenants: Pick<Tenants, 'findStored'>;
  readonly endpoints: Pick<Endpoints, 'movePause'>;
}

/**
 * Moves the pause of an endpoint to its new URL, in the transaction that changes it, which has not sent its writes yet. A URL that another
 * endpoint still has keeps its pause: a seed file may give it to two.
 * @param to null: none; held deliveries are sent
 */
export function movePause(
  { tenants, endpoints }: MovePauseDeps,
  accountId: AccountId,
  id: string,
  to: string | null,
  unit: UnitOfWork,
): void {
  unit.beforeEnd(async () => {
    const tenant = await tenants.findStored(accountId, unit);
    const from = tenant && receiverOf(tenant, id)?.url;
    if (from && from !== to && urlsOf(tenant).filter((url) => url === from).length === 1) {
      await endpoints.movePause(accountId, from, to, unit);
    }
  });
}
