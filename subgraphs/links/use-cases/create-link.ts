import type { ClientSession } from 'mongoose';
import { newId, newLinkToken } from '../../platform/database/ids.ts';
import { retryOnConflict, turnOf } from '../../platform/database/transaction.ts';
import { fail, type Result, succeed } from '../../platform/errors/result.ts';
import { readBody } from '../../platform/json/read-body.ts';
import type { Principal } from '../../platform/principal.ts';
import type { Tenant } from '../../platform/tenants/service.ts';
import { type CreateLinkBody, createLinkSchema } from '../commands/bodies.ts';
import { type GivenUserData, toGiven, toProfile } from '../commands/user-data.ts';
import type { LinksDeps } from '../deps.ts';
import { flowNotAllowed } from '../errors.ts';
import type { Link } from '../store/link-repository.ts';
import { recordCreation } from './record-change.ts';

/**
 * Makes a link, and its user when the reference is new. Refusals, first to last: INVALID_REQUEST, FLOW_NOT_ALLOWED,
 * USER_BLOCKED.
 * @param body the JSON value of the body, numbers as LosslessNumber
 */
export async function createLink(
  deps: LinksDeps,
  { tenantId }: Principal,
  body: unknown,
): Promise<Result<Link>> {
  const read = readBody(createLinkSchema, body);
  if (!read.ok) {
    return read;
  }
  const tenant = await deps.tenants.find(tenantId);
  if (!tenant?.flows.includes(read.value.flow)) {
    return flowNotAllowed(read.value.flow);
  }
  const created = await retryOnConflict(() =>
    deps.transaction(
      (session) => insertLink(deps, tenant, read.value, session),
      turnOf(tenantId, { referenceId: read.value.referenceId }),
    ),
  );
  deps.events.wake();
  return created;
}

async function insertLink(
  deps: LinksDeps,
  tenant: Tenant,
  body: CreateLinkBody,
  session: ClientSession,
): Promise<Result<Link>> {
  const { tenantId } = tenant;
  const { referenceId, flow } = body;
  const given = toGiven(body.userData ?? {});
  const profile = toProfile(given.data);
  const { userId, blocked } = await deps.users.ensureByReference({ tenantId, referenceId, profile }, session);
  if (blocked) {
    return fail('USER_BLOCKED');
  }
  const link = newLink(tenant, body, { userId, given, at: deps.clock() });
  if (Object.keys(profile).length > 0) {
    await deps.users.completeProfile({ tenantId, userId, profile, at: link.createdAt }, session);
  }
  if (given.image) {
    await deps.images.keep(tenantId, link.linkId, given.image, session);
  }
  const activityInput = { type: 'link.created', actor: 'partner', data: { flow } } as const;
  await recordCreation(deps, link, activityInput, session);
  return succeed(link);
}

function newLink(
  { tenantId, widgetBaseUrl }: Tenant,
  { flow, referenceId, metadata, expiresInMinutes }: CreateLinkBody,
  { userId, given, at }: { userId: string; given: GivenUserData; at: Date },
): Link {
  return {
    linkId: newId('lnk_'),
    tenantId,
    referenceId,
    userId,
    flow,
    status: 'created',
    visibility: 'active',
    version: 1,
    url: `${widgetBaseUrl ?? ''}/w/${newLinkToken()}`,
    userData: given.data,
    hasImage: given.image !== undefined,
    ...(metadata === undefined ? {} : { metadata }),
    expiresAt: new Date(at.getTime() + expiresInMinutes * 60_000),
    createdAt: at,
    updatedAt: at,
  };
}
