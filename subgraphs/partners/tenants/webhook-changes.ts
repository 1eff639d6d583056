import type { UpdateQuery } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import type { RunTransaction } from '../../kernel/database/transaction.ts';
import type { Alongside } from '../../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { FIRST, queueKey, readUrls, type SecretRotation } from './endpoint-store.ts';
import { openFormerSecrets, retireSecret, sealFormerSecrets } from './former-secrets.ts';
import type { TenantDocument, TenantModels } from './model.ts';
import { secretContext } from './secret-context.ts';
import { requireSigning, type SignatureScheme } from './signature-scheme.ts';
import { headersAfter, type StaticHeader, sealHeaders } from './static-headers.ts';
import type { WebhookOrdering } from './webhook-ordering.ts';

/** Absent values stay as they are. Without a URL (null) no more webhooks are stored for it. */
export interface WebhookChange {
  /** The only secret from now on: former secrets are forgotten. */
  readonly secret?: string;
  readonly url?: string | null;
  readonly events?: readonly string[];
  /** The version of the event catalogue to which deliveries that are stored from now on are pinned. */
  readonly eventVersion?: number;
  /** The order of deliveries that are stored from now on. */
  readonly ordering?: WebhookOrdering;
  /** How deliveries for the URL that are stored from now on are signed. */
  readonly signatureScheme?: SignatureScheme;
  /** The only headers of the partner from now on; empty: none. A URL of another origin removes them, if they are absent. */
  readonly headers?: readonly StaticHeader[];
}

interface ChangeDeps {
  models: Pick<TenantModels, 'tenants' | 'endpoints'>;
  box: Box;
  transaction: RunTransaction;
}

/**
 * Failures: WEBHOOK_ENDPOINT_EXISTS when a further endpoint has the URL; INVALID_REQUEST for a secret that the scheme cannot
 * sign with. Undefined when there is no such tenant.
 */
export async function changeWebhooks(
  deps: ChangeDeps,
  accountId: AccountId,
  change: WebhookChange,
  alongside?: Alongside,
): Promise<Result<TenantDocument> | undefined> {
  const { models, transaction } = deps;
  const done = await transaction(async (unit): Promise<Result<undefined>> => {
    const { tenant: before, isFree } = await readUrls(deps, unit, accountId);
    if (change.url != null && !isFree(change.url, FIRST)) {
      return fail('WEBHOOK_ENDPOINT_EXISTS');
    }
    const signing = before ? checkSigning(deps, before, change) : succeed(undefined);
    if (!signing.ok) {
      return signing;
    }
    const headers = headersAfter({ from: before?.webhookUrl, to: change.url, headers: change.headers });
    const update = toUpdate(deps, accountId, { ...change, ...(headers && { headers }) });
    unit.update(models.tenants, { filter: { _id: accountId }, update });
    alongside?.(unit);
    return succeed(undefined);
  }, queueKey(accountId));
  if (!done.ok) {
    return done;
  }
  const changed = await models.tenants.findById(accountId).lean();
  return changed ? succeed(changed) : undefined;
}

/** Checks scheme and secret as they are after the change. The write of the change conflicts with every other one. */
function checkSigning(
  { box }: Pick<ChangeDeps, 'box'>,
  before: TenantDocument,
  { secret, signatureScheme }: WebhookChange,
): Result<undefined> {
  if (secret === undefined && signatureScheme === undefined) {
    return succeed(undefined);
  }
  const after = {
    signatureScheme: signatureScheme ?? before.webhookSignatureScheme,
    secret: secret ?? openSecret(box, before),
  };
  return requireSigning(after, 'webhookSignatureScheme');
}

function openSecret(box: Box, { _id, webhookSecret }: TenantDocument): string | undefined {
  return webhookSecret && box.open(toBuffer(webhookSecret), secretContext(_id, 'webhookSecret')).toString();
}

function toUpdate(
  { box }: Pick<ChangeDeps, 'box'>,
  accountId: AccountId,
  { secret, url, events, eventVersion, ordering, signatureScheme, headers }: WebhookChange,
): UpdateQuery<TenantDocument> {
  const now = new Date();
  const sealedHeaders = headers && sealHeaders(box, headers, secretContext(accountId, 'webhookHeaders'));
  const set: Partial<TenantDocument> = {
    ...(secret === undefined
      ? {}
      : {
          webhookSecret: box.seal(secret, secretContext(accountId, 'webhookSecret')),
          webhookSecretRegeneratedAt: now,
        }),
    ...(url == null ? {} : { webhookUrl: url }),
    ...(events === undefined ? {} : { webhookEvents: [...events] }),
    ...(eventVersion === undefined ? {} : { webhookEventVersion: eventVersion }),
    ...(ordering === undefined ? {} : { webhookOrdering: ordering }),
    ...(signatureScheme && { webhookSignatureScheme: signatureScheme }),
    ...(sealedHeaders && { webhookHeaders: sealedHeaders }),
    ...([url, events, ordering].some((one) => one !== undefined) && { webhookConfiguredAt: now }),
  };
  const unset = {
    ...(url === null ? { webhookUrl: 1 as const } : {}),
    ...(secret === undefined ? {} : { webhookFormerSecrets: 1 as const }),
    ...(headers?.length === 0 && { webhookHeaders: 1 as const }),
  };
  return {
    $set: { ...set, updatedAt: now },
    $inc: { endpointChanges: 1 },
    ...(Object.keys(unset).length === 0 ? {} : { $unset: unset }),
  };
}

/**
 * Replaces the secret. Of two rotations at once the database lets one through; the other one runs again, and retires the secret that
 * the first one made. Failures: WEBHOOK_SECRETS_LIMIT. Undefined when there is no such tenant.
 */
export async function rotateSecret(
  { models, box, transaction }: ChangeDeps,
  accountId: AccountId,
  rotation: SecretRotation,
  alongside?: Alongside,
): Promise<Result<TenantDocument> | undefined> {
  const failed = await transaction(async (unit) => {
    const before = await models.tenants.findById(accountId).session(unit.session).lean();
    const update = before && rotationOf(box, before, rotation);
    if (!update?.ok) {
      return update ?? undefined;
    }
    unit.update(models.tenants, { filter: { _id: accountId }, update: update.value });
    alongside?.(unit);
    return undefined;
  }, queueKey(accountId));
  if (failed) {
    return failed;
  }
  const changed = await models.tenants.findById(accountId).lean();
  return changed ? succeed(changed) : undefined;
}

function rotationOf(
  box: Box,
  before: TenantDocument,
  { secret, until, now }: SecretRotation,
): Result<UpdateQuery<TenantDocument>> {
  const { _id, webhookFormerSecrets } = before;
  const withinFormer = secretContext(_id, 'webhookFormerSecrets');
  const retired = retireSecret({
    secret: openSecret(box, before),
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
      webhookSecret: box.seal(secret, secretContext(_id, 'webhookSecret')),
      webhookSecretRegeneratedAt: now,
      ...(former && { webhookFormerSecrets: former }),
    },
    ...(former ? {} : { $unset: { webhookFormerSecrets: 1 } }),
  });
}
