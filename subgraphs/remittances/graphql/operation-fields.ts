import { Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { createBatchLoader } from '../../graph/batch-loader.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { RemittanceService } from '../service.ts';
import type { RemittanceDocument } from '../store/model.ts';
import { Operation } from './entities.ts';
import { Remittance, RemittanceError, RemittancePhase, toRemittance } from './remittance.type.ts';

/** The fields of operations about the atomic calls that made them. */
@Resolver(() => Operation)
export class OperationRemittanceResolver {
  readonly #load: (context: RequestContext, operationId: string) => Promise<RemittanceDocument | undefined>;
  readonly #now: () => Date;

  constructor({ findByIds, now }: Pick<RemittanceService, 'findByIds' | 'now'>) {
    this.#load = createBatchLoader((context, ids) => findByIds(authorize(context), ids));
    this.#now = now;
  }

  @RequiresScopes('partner')
  @FieldResolver(() => Remittance, {
    nullable: true,
    description: 'The atomic call that created the operation; null for other operations.',
  })
  async remittance(@Root() { id }: Operation, @Ctx() context: RequestContext): Promise<Remittance | null> {
    return this.#find(context, id);
  }

  @RequiresScopes('partner')
  @FieldResolver(() => RemittancePhase, {
    nullable: true,
    description: 'Current or last phase of its atomic call; null without one.',
  })
  async phase(@Root() { id }: Operation, @Ctx() context: RequestContext): Promise<RemittancePhase | null> {
    return (await this.#find(context, id))?.phase ?? null;
  }

  @RequiresScopes('partner')
  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Number of failed attempts at that phase; null without an atomic call.',
  })
  async attempts(@Root() { id }: Operation, @Ctx() context: RequestContext): Promise<number | null> {
    return (await this.#find(context, id))?.attempts ?? null;
  }

  @RequiresScopes('partner')
  @FieldResolver(() => RemittanceError, {
    nullable: true,
    description: 'Error of the last failed attempt at that phase; null if none failed.',
  })
  async lastError(
    @Root() { id }: Operation,
    @Ctx() context: RequestContext,
  ): Promise<RemittanceError | null> {
    return (await this.#find(context, id))?.lastError ?? null;
  }

  async #find(context: RequestContext, operationId: string): Promise<Remittance | null> {
    const found = await this.#load(context, operationId);
    return found ? toRemittance(found, this.#now()) : null;
  }
}
