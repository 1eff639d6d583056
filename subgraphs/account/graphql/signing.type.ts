import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { RequiresAllScopes, RequiresScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import { UserError } from '../../graph/user-error.type.ts';
import type { SignatureScheme } from '../../partners/tenants/signature-scheme.ts';
import { Approval, PENDING_APPROVAL } from './approval.type.ts';

export const WebhookSignatureScheme = textEnum<SignatureScheme>(
  'WebhookSignatureScheme',
  'How the webhooks of an endpoint are signed.',
  {
    DOCUMENTED:
      'By X-Webhook-Signature, and webhooks of document 3 by X-RAAS-Signature: HMAC-SHA256 with the secret as text.',
    STANDARD_WEBHOOKS:
      'By the headers webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks 1.x, which its libraries verify: v1 is HMAC-SHA256 with the decoded secret, v1a is Ed25519.',
    HTTP_MESSAGE_SIGNATURES:
      'By the headers Signature-Input and Signature of RFC 9421 with Ed25519, over the method, the URL, Content-Digest (RFC 9530), Content-Type and the X- headers of the webhook.',
  },
);

@ObjectType({ description: "A key that verifies Ed25519 signatures of an endpoint's webhooks." })
@RequiresScopes('partner')
export class WebhookPublicKey {
  @Field(() => ID, {
    description:
      'Id of the key: the keyid of HTTP message signatures, and kid in the key set. It is the RFC 7638 thumbprint.',
  })
  id!: string;

  @Field(() => String, {
    description: 'The key in the form of Standard Webhooks: whpk_ and the base64 of its 32 bytes.',
  })
  publicKey!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'Until when it also signs new webhooks, if its secret was replaced; null for the key of the current secret.',
  })
  until!: Date | null;
}

@InputType({ description: "A header of the partner's own that webhooks of an endpoint carry." })
export class WebhookHeaderInput {
  @Field(() => String, {
    description:
      'Name of the header: at most 64 letters, digits, - and _, with a letter first. Names that webhooks, HTTP or proxies have are rejected, such as Content-Type, Host, Signature and those that begin with webhook-, X-Webhook- or X-RAAS-; _ counts as -.',
  })
  name!: string;

  @Field(() => String, {
    description:
      'Value of the header: 1 to 1024 visible ASCII characters, with spaces only between them. It is stored encrypted and never shown again.',
  })
  value!: string;
}

@InputType({ description: 'The secret to replace, and how.' })
export class RotateWebhookSecretInput {
  @Field(() => ID, { nullable: true, description: 'Id of the endpoint; `first` when absent.' })
  endpointId?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Hours during which new webhooks are also signed with the replaced secret, 0 to 168; 0 when absent. Meanwhile X-Webhook-Signature has a v1 for each secret, the new one first, and the headers of the other signature schemes have a signature for each secret too. Use an overlap only if your receiver accepts any of several signatures. X-RAAS-Signature has one signature, with the new secret.',
  })
  overlapHours?: number | null;
}

@ObjectType({ description: 'The new signing secret, or why the mutation failed.' })
@RequiresAllScopes('partner', 'partner_admin')
export class RotateWebhookSecretPayload {
  @Field(() => String, {
    nullable: true,
    description: 'The secret, shown only this once; null on failure, and while an approval is pending.',
  })
  webhookSecret!: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'Time until which webhooks are also signed with the replaced secret; null without an overlap.',
  })
  formerUntil!: Date | null;

  @Field(() => Approval, PENDING_APPROVAL)
  pendingApproval?: Approval | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}
