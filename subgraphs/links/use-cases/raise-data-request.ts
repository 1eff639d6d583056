import { newId } from '../../kernel/database/ids.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { findMeant } from '../../partners/tenants/find-meant.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import { CONTRACTS } from '../../webhook-events/contracts.ts';
import { USER_DATA_REQUEST } from '../../webhook-events/data-requests.ts';
import { bodiesOf } from '../../webhook-events/versions.ts';
import { identify, type NewDelivery } from '../../webhooks/queue.ts';
import { orderOf, receiversOf } from '../../webhooks/receivers.ts';
import type { RaiseDataRequest } from '../commands/link-commands.ts';
import type { LinksDeps } from '../deps.ts';
import { unusable } from '../errors.ts';
import { usabilityOf } from '../lifecycle.ts';
import type { DataRequest } from '../link.ts';
import { type DataRequestDocument, toDataRequest } from '../store/model.ts';
import { recordChange } from './record-change.ts';

/**
 * Asks a partner for more data of a link's user, by a webhook: for the platform's own back end only. Fails with
 * LINK_NOT_FOUND, or LINK_REVOKED for a link that is revoked or expired.
 */
export async function raiseDataRequest(
  deps: LinksDeps,
  command: RaiseDataRequest,
): Promise<Result<DataRequest>> {
  const meant = await findMeant(deps.tenants, command, (accountIds) =>
    deps.links.having(accountIds, command.linkId),
  );
  if (!meant.ok) {
    return meant;
  }
  const tenant = meant.value;
  if (!tenant) {
    return fail('LINK_NOT_FOUND');
  }
  return deps.transaction((unit) => raiseWithin(deps, tenant, command, unit));
}

async function raiseWithin(
  deps: LinksDeps,
  tenant: Tenant,
  { linkId, fields }: RaiseDataRequest,
  unit: UnitOfWork,
): Promise<Result<DataRequest>> {
  const { accountId } = tenant;
  const link = await deps.links.find({ accountId, linkId }, unit);
  if (!link) {
    return fail('LINK_NOT_FOUND');
  }
  const at = deps.accountClock(accountId);
  const usability = usabilityOf(link, at);
  if (usability !== 'usable') {
    return unusable(usability);
  }
  const { referenceId } = link;
  const stored: DataRequestDocument = {
    _id: newId('dr_'),
    accountId,
    linkId,
    referenceId,
    fields,
    status: 'open',
    createdAt: at,
  };
  await deps.dataRequests.insertMany([stored], { session: unit.session });
  const data = { dataRequestId: stored._id, fields };
  const request = toDataRequest(stored);
  const deliveries = identify(toDeliveries(tenant, request));
  const activityInput = { type: 'data_request.created', actor: 'system', data } as const;
  await recordChange(deps, { link, activityInput, deliveries, at }, unit);
  deps.webhooks.enqueue(deliveries, unit);
  return succeed(request);
}

/**
 * The webhook `user.data_request`: to the partner's URL whatever that subscribes to, and to each further endpoint that
 * subscribes to it.
 */
function toDeliveries(tenant: Tenant, request: DataRequest): NewDelivery[] {
  const { accountId } = tenant;
  const { linkId, createdAt } = request;
  const event = USER_DATA_REQUEST.of(request);
  const bodyFor = bodiesOf(USER_DATA_REQUEST, event, createdAt);
  return receiversOf(tenant, event.event, true).map(({ eventVersion, ...receiver }) => ({
    accountId,
    event: event.event,
    scheme: CONTRACTS[USER_DATA_REQUEST.document].scheme,
    ...receiver,
    ...orderOf(tenant, `link|${linkId}`),
    body: bodyFor(eventVersion),
    createdAt,
  }));
}
