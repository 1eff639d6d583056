import type { AccountId } from '../kernel/account.ts';
import type { Tenants } from '../partners/tenants/service.ts';
import type { Endpoints } from './endpoints.ts';
import { urlsOf } from './receivers.ts';

interface MovePauseDeps {
  readonly tenants: Pick<Tenants, 'findStored'>;
  readonly endpoints: Pick<Endpoints, 'identify' | 'health' | 'pause' | 'resume'>;
}

/**
 * Moves the pause of an endpoint to its new URL. Without a new URL, held deliveries are sent. A URL that other webhooks still go to keeps
 * its pause.
 */
export async function movePause(
  deps: MovePauseDeps,
  accountId: AccountId,
  from: string | undefined,
  to: string | undefined,
): Promise<void> {
  const { endpoints } = deps;
  if (!from || from === to || (await hasUrl(deps, accountId, from))) {
    return;
  }
  const former = endpoints.identify(accountId, from);
  const [health] = await endpoints.health(accountId, [former]);
  if (!health?.pausedAt) {
    return;
  }
  if (to) {
    await endpoints.pause(accountId, endpoints.identify(accountId, to));
  }
  await endpoints.resume(accountId, former);
}

/** Whether webhooks of the account still go to the URL: a seed file may give it to two endpoints. */
async function hasUrl(
  { tenants }: Pick<MovePauseDeps, 'tenants'>,
  accountId: AccountId,
  url: string,
): Promise<boolean> {
  const tenant = await tenants.findStored(accountId);
  return tenant !== undefined && urlsOf(tenant).includes(url);
}
