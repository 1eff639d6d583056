import type { QueryFilter } from 'mongoose';
import type { Order } from '../platform/graphql/paginate.ts';
import type { UserDocument } from './model.ts';

/** A list of users: which, and in what order. Each combination has an index (model.ts). */
export interface Listing {
  readonly filter: QueryFilter<UserDocument>;
  readonly order: Order;
}
