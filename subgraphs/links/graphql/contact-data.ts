import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../platform/principal.ts';
import type { Reveals } from '../../platform/request-log/reveals.ts';
import { LinkUserData } from './link.type.ts';

/** The date of birth that a link has of its user: who reads it in the console is on record, as for the user's own. */
@Resolver(() => LinkUserData)
export class LinkContactDataResolver {
  readonly #reveals: Reveals;

  constructor(reveals: Reveals) {
    this.#reveals = reveals;
  }

  @FieldResolver()
  dob(@Root() data: LinkUserData, @Ctx() context: RequestContext): string | null {
    this.#reveals.note(context, data.userId);
    return data.dob;
  }
}
