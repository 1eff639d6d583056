import type { UpdateQuery } from 'mongoose';
import { toBuffer } from '../binary.ts';
import type { Box } from '../crypto/box.ts';
import { retryOnConflict } from '../database/transaction.ts';
import { type Result, succeed } from '../errors/result.ts';
import type { SecretRotation } from './endpoint-store.ts';
import { openFormerSecrets, retireSecret, sealFormerSecrets } from './former-secrets.ts';
import type { TenantDocument, TenantModels } from './model.ts';
import { secretContext } from './secret-context.ts';
import type { WebhookOrdering } from './webhook-ordering.ts';

/** Absent values stay as they are. Without a URL (null) no more webhooks are stored for it. */
export interface WebhookChange {
  /** The only secret from now on: former secrets are forgotten. */
  readonly secret?: string;
  readonly url?: string | null;
  readonly events?: readonly string[];
  /** The order of deliveries that are stored from now on. */
  readonly ordering?: WebhookOrdering;
}

interface ChangeDeps {
  models: Pick<TenantModels, 'tenants'>;
  box: Box;
}

/** Undefined when there is no such tenant. */
export async function changeWebhooks(
  { models, box }: ChangeDeps,
  tenantId: string,
  { secret, url, events, ordering }: WebhookChange,
): Promise<TenantDocument | undefined> {
  const now = new Date();
  const set: Partial<TenantDocument> = {
    ...(secret === undefined
      ? {}
      : {
          webhookSecret: box.seal(secret, secretContext(tenantId, 'webhookSecret')),
          webhookSecretRegeneratedAt: now,
        }),
    ...(url == null ? {} : { webhookUrl: url }),
    ...(events === undefined ? {} : { webhookEvents: [...events] }),
    ...(ordering === undefined ? {} : { webhookOrdering: ordering }),
    ...([url, events, ordering].some((one) => one !== undefined) && { webhookConfiguredAt: now }),
  };
  const unset = {
    ...(url === null ? { webhookUrl: 1 as const } : {}),
    ...(secret === undefined ? {} : { webhookFormerSecrets: 1 as const }),
  };
  const change = { $set: set, ...(Object.keys(unset).length === 0 ? {} : { $unset: unset }) };
  const changed = await retryOnConflict(() =>
    models.tenants.findOneAndUpdate({ _id: tenantId }, change, { returnDocument: 'after' }).lean().exec(),
  );
  return changed ?? undefined;
}

/**
 * Replaces the secret, conditional on the one that it replaces: of two rotations at once each retires what the other has
 * made. Failures: WEBHOOK_SECRETS_LIMIT. Undefined when there is no such tenant.
 */
export async function rotateSecret(
  { models, box }: ChangeDeps,
  tenantId: string,
  rotation: SecretRotation,
): Promise<Result<TenantDocument> | undefined> {
  for (;;) {
    const before = await models.tenants.findById(tenantId).lean();
    if (!before) {
      return undefined;
    }
    const update = rotationOf(box, before, rotation);
    if (!update.ok) {
      return update;
    }
    const changed = await retryOnConflict(() =>
      models.tenants
        .findOneAndUpdate(
          { _id: tenantId, webhookSecret: before.webhookSecret ?? { $exists: false } },
          update.value,
          { returnDocument: 'after' },
        )
        .lean()
        .exec(),
    );
    if (changed) {
      return succeed(changed);
    }
  }
}

function rotationOf(
  box: Box,
  { _id, webhookSecret, webhookFormerSecrets }: TenantDocument,
  { secret, until, now }: SecretRotation,
): Result<UpdateQuery<TenantDocument>> {
  const within = secretContext(_id, 'webhookSecret');
  const withinFormer = secretContext(_id, 'webhookFormerSecrets');
  const retired = retireSecret({
    secret: webhookSecret && box.open(toBuffer(webhookSecret), within).toString(),
    former: openFormerSecrets(box, webhookFormerSecrets, withinFormer),
    until,
    now,
  });
  if (!retired.ok) {
    return retired;
  }
  const former = sealFormerSecrets(box, retired.value, withinFormer);
  return succeed({
    $set: {
      webhookSecret: box.seal(secret, within),
      webhookSecretRegeneratedAt: now,
      ...(former && { webhookFormerSecrets: former }),
    },
    ...(former ? {} : { $unset: { webhookFormerSecrets: 1 } }),
  });
}
