import { type AccountId, environmentOf, tenantOf } from '../../kernel/account.ts';
import { type StoredBytes, toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { NEWEST_EVENT_VERSION } from '../../webhook-events/versions.ts';
import type { WebhookEndpoint } from './endpoint-record.ts';
import { type FormerSecret, openFormerSecrets } from './former-secrets.ts';
import type { TenantDocument } from './model.ts';
import {
  type OperationalEventsConfig,
  openOperationalEvents,
  sealOperationalEvents,
} from './operational-events.ts';
import { secretContext } from './secret-context.ts';
import { openSignIn, type SignIn, sealSignIn } from './sign-in.ts';
import { headersAfter, openHeaders, type StaticHeader } from './static-headers.ts';
import type { WebhookOrdering } from './webhook-ordering.ts';

/** A partner in one environment, with readable secrets. */
export type Tenant = Omit<
  TenantDocument,
  | '_id'
  | 'webhookSecret'
  | 'webhookFormerSecrets'
  | 'webhookHeaders'
  | 'sharedSecret'
  | 'signIn'
  | 'operationalEvents'
  | 'endpointChanges'
> & {
  accountId: AccountId;
  webhookSecret?: string;
  /** Replaced secrets, newest first; expired ones sign nothing. Absent: none. */
  webhookFormerSecrets?: readonly FormerSecret[];
  /** The partner's own headers for `webhookUrl`. Absent: none. */
  webhookHeaders?: readonly StaticHeader[];
  sharedSecret?: string;
  /** How its people sign in to the console with their company's accounts. Absent: they do not. */
  signIn?: SignIn;
  /** The receivers of its operational events. Absent: none. */
  operationalEvents?: OperationalEventsConfig;
  /** Receivers besides `webhookUrl`, oldest first. Absent: none. */
  webhookEndpoints?: readonly WebhookEndpoint[];
};

/**
 * The stored values of a partner in one environment, without the times, which the database keeps, and without values that only the partner
 * changes.
 */
export type TenantInput = Omit<
  Tenant,
  | 'tenantId'
  | 'environment'
  | 'createdAt'
  | 'updatedAt'
  | 'webhookFormerSecrets'
  | 'webhookSignatureScheme'
  | 'webhookHeaders'
  | 'webhookEventVersion'
  | 'webhookEndpoints'
  | 'operationalEventsConfiguredAt'
>;

/** The values that the partner has changed itself. */
export function ownOf(
  stored: TenantDocument,
  seeded: Pick<TenantInput, 'webhookUrl'>,
): Partial<TenantDocument> {
  const { webhookSecret, webhookFormerSecrets, webhookSecretRegeneratedAt } = stored;
  const { webhookUrl, webhookEvents, webhookOrdering, webhookConfiguredAt } = stored;
  const { webhookSignatureScheme, webhookHeaders, endpointChanges } = stored;
  const { operationalEvents, operationalEventsConfiguredAt } = stored;
  const to = (webhookConfiguredAt ? stored : seeded).webhookUrl ?? null;
  const isMoved = headersAfter({ from: webhookUrl, to, headers: undefined }) !== undefined;
  return {
    ...(endpointChanges !== undefined && { endpointChanges }),
    ...(webhookSignatureScheme && { webhookSignatureScheme }),
    ...(webhookHeaders && !isMoved && { webhookHeaders: toBuffer(webhookHeaders) }),
    ...(webhookSecret && webhookSecretRegeneratedAt
      ? {
          webhookSecret: toBuffer(webhookSecret),
          ...(webhookFormerSecrets && { webhookFormerSecrets: toBuffer(webhookFormerSecrets) }),
          webhookSecretRegeneratedAt,
        }
      : {}),
    ...(operationalEventsConfiguredAt
      ? {
          ...(operationalEvents && { operationalEvents: toBuffer(operationalEvents) }),
          operationalEventsConfiguredAt,
        }
      : {}),
    ...(webhookConfiguredAt
      ? {
          // The casts: an undefined setting stays in the object, so that it takes away what the seed says.
          webhookUrl: webhookUrl as string,
          webhookEvents,
          webhookOrdering: webhookOrdering as WebhookOrdering,
          webhookConfiguredAt,
        }
      : {}),
  };
}

/**
 * The record of a partner that operators set.
 * @param before its present record, whose version of events stays; null: it is created, pinned to the newest version
 */
export function toDocument(
  box: Box,
  input: TenantInput,
  before: Pick<TenantDocument, 'createdAt' | 'webhookEventVersion'> | null,
): TenantDocument {
  const { accountId, webhookSecret, sharedSecret, signIn, operationalEvents, ...plain } = input;
  const now = new Date();
  const document: TenantDocument = {
    ...plain,
    _id: accountId,
    tenantId: tenantOf(accountId),
    environment: environmentOf(accountId),
    webhookEventVersion: before?.webhookEventVersion ?? NEWEST_EVENT_VERSION,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
  if (webhookSecret !== undefined) {
    document.webhookSecret = box.seal(webhookSecret, secretContext(accountId, 'webhookSecret'));
  }
  if (sharedSecret !== undefined) {
    document.sharedSecret = box.seal(sharedSecret, secretContext(accountId, 'sharedSecret'));
  }
  if (signIn !== undefined) {
    document.signIn = sealSignIn(box, signIn, secretContext(accountId, 'signIn'));
  }
  if (operationalEvents !== undefined) {
    const context = secretContext(accountId, 'operationalEvents');
    document.operationalEvents = sealOperationalEvents(box, operationalEvents, context);
  }
  return document;
}

/** The partner of a record. @throws when a value was sealed under another key or has been changed */
export function reveal(box: Box, document: TenantDocument): Tenant {
  const {
    _id: accountId,
    webhookSecret,
    webhookFormerSecrets,
    webhookHeaders,
    sharedSecret,
    signIn,
    operationalEvents,
    endpointChanges: _,
    ...plain
  } = document;
  const tenant: Tenant = { ...plain, accountId };
  if (webhookFormerSecrets) {
    const context = secretContext(accountId, 'webhookFormerSecrets');
    tenant.webhookFormerSecrets = openFormerSecrets(box, webhookFormerSecrets, context);
  }
  if (webhookHeaders) {
    const context = secretContext(accountId, 'webhookHeaders');
    tenant.webhookHeaders = openHeaders(box, webhookHeaders, context);
  }
  if (webhookSecret) {
    tenant.webhookSecret = openSecret(box, webhookSecret, secretContext(accountId, 'webhookSecret'));
  }
  if (signIn) {
    tenant.signIn = openSignIn(box, signIn, secretContext(accountId, 'signIn'));
  }
  if (operationalEvents) {
    const context = secretContext(accountId, 'operationalEvents');
    tenant.operationalEvents = openOperationalEvents(box, operationalEvents, context);
  }
  if (sharedSecret) {
    tenant.sharedSecret = openSecret(box, sharedSecret, secretContext(accountId, 'sharedSecret'));
  }
  return tenant;
}

function openSecret(box: Box, sealed: StoredBytes, context: string): string {
  return box.open(toBuffer(sealed), context).toString();
}
