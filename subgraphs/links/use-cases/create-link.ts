import { newId, newLinkToken } from '../../kernel/database/ids.ts';
import { queueKey, retryOnConflict } from '../../kernel/database/transaction.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import { refusalOf } from '../../users/index.ts';
import type { CreateLink } from '../commands/link-commands.ts';
import type { LinksDeps } from '../deps.ts';
import { flowNotAllowed } from '../errors.ts';
import type { Link } from '../link.ts';
import { toProfile } from '../user-data.ts';
import { recordCreation } from './record-change.ts';

/** Creates a link, and its user for a new reference. Fails with FLOW_NOT_ALLOWED, then USER_BLOCKED or USER_ERASED. */
export async function createLink(
  deps: LinksDeps,
  { accountId }: Principal,
  command: CreateLink,
): Promise<Result<Link>> {
  const tenant = await deps.tenants.find(accountId);
  if (!tenant?.flows.includes(command.flow)) {
    return flowNotAllowed(command.flow);
  }
  const created = await retryOnConflict(() =>
    deps.transaction(
      (unit) => insertLink(deps, tenant, command, unit),
      queueKey(accountId, { referenceId: command.referenceId }),
    ),
  );
  return created;
}

async function insertLink(
  deps: LinksDeps,
  tenant: Tenant,
  command: CreateLink,
  unit: UnitOfWork,
): Promise<Result<Link>> {
  const { accountId } = tenant;
  const { referenceId, flow, userData } = command;
  const profile = toProfile(userData.data);
  const user = await deps.users.ensureByReference({ accountId, referenceId, profile }, unit);
  const refusal = refusalOf(user);
  if (refusal) {
    return fail(refusal);
  }
  const { userId } = user;
  const link = newLink(tenant, command, { userId, at: deps.accountClock(accountId) });
  if (Object.keys(profile).length > 0) {
    await deps.users.completeProfile({ accountId, userId, profile, at: link.createdAt }, unit);
  }
  if (userData.image) {
    await deps.images.keep(accountId, link.linkId, userData.image, unit);
  }
  const activityInput = { type: 'link.created', actor: 'partner', data: { flow } } as const;
  await recordCreation(deps, link, activityInput, unit);
  return succeed(link);
}

function newLink(
  { accountId, widgetBaseUrl }: Tenant,
  { flow, referenceId, attached, userData, expiresInMinutes }: CreateLink,
  { userId, at }: { userId: string; at: Date },
): Link {
  return {
    linkId: newId('lnk_'),
    accountId,
    referenceId,
    userId,
    flow,
    status: 'created',
    visibility: 'active',
    version: 1,
    url: `${widgetBaseUrl ?? ''}/w/${newLinkToken()}`,
    userData: userData.data,
    hasImage: userData.image !== undefined,
    attached,
    expiresAt: new Date(at.getTime() + expiresInMinutes * 60_000),
    createdAt: at,
    updatedAt: at,
  };
}
