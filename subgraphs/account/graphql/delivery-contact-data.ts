import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../kernel/principal.ts';
import type { Reveals } from '../../partners/request-log/reveals.ts';
import { WebhookAttempt, WebhookDelivery } from './delivery.type.ts';

/** Bodies of webhooks have names, phone numbers and more: reading one in the console is on record, by the webhook's id. */
@Resolver(() => WebhookDelivery)
export class WebhookBodyResolver {
  constructor(private readonly reveals: Reveals) {}

  @FieldResolver()
  body(@Root() { id, body }: WebhookDelivery, @Ctx() context: RequestContext): string | Promise<string> {
    return this.reveals.reveal(context, id, body);
  }
}

/** The same of a receiver's answer, which may repeat what it was sent. */
@Resolver(() => WebhookAttempt)
export class WebhookAnswerResolver {
  constructor(private readonly reveals: Reveals) {}

  @FieldResolver()
  answer(
    @Root() { deliveryId, answer }: WebhookAttempt,
    @Ctx() context: RequestContext,
  ): string | Promise<string> {
    return this.reveals.reveal(context, deliveryId, answer);
  }
}
