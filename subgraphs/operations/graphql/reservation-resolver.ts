import type { QueryFilter } from 'mongoose';
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { createBatchLoader } from '../../graph/batch-loader.ts';
import { mapConnection } from '../../graph/connection.ts';
import { PageArgs } from '../../graph/page-args.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { type ReferenceResolver, referenceBy } from '../../graph/subgraph.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import { REQUEST_STATUSES } from '../lifecycle.ts';
import type { OperationService } from '../service.ts';
import type { OperationRecord, ReservationDocument } from '../store/model.ts';
import { Operation, toOperation } from './operation.type.ts';
import {
  Reservation,
  ReservationConnection,
  ReservationWhereInput,
  toReservation,
} from './reservation.type.ts';

type Reservations = Pick<OperationService, 'findReservations' | 'listReservations' | 'findByIds'>;

/** Requests by v2: what is reserved for them, and whether their payer may have been asked. */
@Resolver(() => Reservation)
export class ReservationResolver {
  readonly #service: Reservations;
  readonly #load: (context: RequestContext, id: string) => Promise<OperationRecord | undefined>;

  constructor(service: Reservations) {
    this.#service = service;
    this.#load = createBatchLoader((context, ids) => service.findByIds(authorize(context), ids));
  }

  @RequiresScopes('partner')
  @Query(() => Reservation, {
    nullable: true,
    description: 'The request by `request-money-v2` with this correlationId; null if there is none.',
  })
  async reservation(
    @Arg('correlationId', () => ID, { description: "The partner's id of the request." })
    correlationId: string,
    @Ctx() context: RequestContext,
  ): Promise<Reservation | null> {
    const found = await this.#service.findReservations(authorize(context), [correlationId]);
    const reservation = found.get(correlationId);
    return reservation ? toReservation(reservation) : null;
  }

  @RequiresScopes('partner')
  @Query(() => ReservationConnection, {
    description: "The partner's requests by `request-money-v2`, newest first.",
  })
  async reservations(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('where', () => ReservationWhereInput, {
      nullable: true,
      description: 'Filter; all requests when absent.',
    })
    where: ReservationWhereInput | null,
    @Ctx() context: RequestContext,
  ): Promise<ReservationConnection> {
    const found = await this.#service.listReservations(authorize(context), toReservationFilter(where), page);
    return mapConnection(found, toReservation, ReservationConnection);
  }

  @RequiresScopes('partner')
  @FieldResolver(() => Operation, {
    nullable: true,
    description: 'Operation of the request; null until it is created.',
  })
  async operation(
    @Root() { correlationId, status }: Reservation,
    @Ctx() context: RequestContext,
  ): Promise<Operation | null> {
    const found = status === 'SUCCEEDED' ? await this.#load(context, correlationId) : undefined;
    return found ? toOperation(found) : null;
  }
}

/** The filter of a list of reservations. It names every status, so that one index serves all lists. */
export function toReservationFilter(where: ReservationWhereInput | null): QueryFilter<ReservationDocument> {
  const { status, payerMayHaveBeenAsked: wasAsked } = where ?? {};
  return {
    ...(wasAsked == null ? {} : { payerMayHaveBeenAsked: wasAsked ? true : { $exists: false } }),
    status: { $in: [...new Set(status ?? REQUEST_STATUSES)] },
  };
}

/** `Reservation @key(correlationId)`: all of a batch in one read. */
export function resolveReservations({
  findReservations,
}: Pick<Reservations, 'findReservations'>): ReferenceResolver {
  return referenceBy(
    'correlationId',
    (ids, context) => findReservations(authorize(context), ids),
    toReservation,
  );
}
