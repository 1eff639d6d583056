import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../platform/principal.ts';
import type { Reveals } from '../../platform/request-log/reveals.ts';
import { User } from './user.type.ts';

/**
 * The fields by which somebody can reach or impersonate a user. Who reads them in the console is on record: these resolvers
 * serve every document and every way to a user.
 */
@Resolver(() => User)
export class ContactDataResolver {
  readonly #reveals: Reveals;

  constructor(reveals: Reveals) {
    this.#reveals = reveals;
  }

  @FieldResolver()
  phoneNumber(@Root() user: User, @Ctx() context: RequestContext): string | null {
    this.#reveals.note(context, user.id);
    return user.phoneNumber;
  }

  @FieldResolver()
  email(@Root() user: User, @Ctx() context: RequestContext): string | null {
    this.#reveals.note(context, user.id);
    return user.email;
  }

  @FieldResolver()
  dob(@Root() user: User, @Ctx() context: RequestContext): string | null {
    this.#reveals.note(context, user.id);
    return user.dob;
  }
}
