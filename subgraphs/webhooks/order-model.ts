import { type Connection, type Model, Schema } from 'mongoose';
import { keepWhole } from '../kernel/database/shard-keys.ts';

/** The deliveries of one entity to one endpoint, which are sent one after the other. */
interface OrderDocument {
  /** Keyed digest of endpoint and entity, as deliveries have it. */
  _id: string;
  /** The delivery that was stored last; absent after its end. Each delivery itself waits for the one before it. */
  last?: string;
  /** Since when all its deliveries have ended. */
  idleSince?: Date;
}

export type OrderModel = Model<OrderDocument>;

/** The next delivery creates it again; it is kept because entities change several times within hours. */
const KEPT_SECONDS = 86_400;

const orderSchema = new Schema<OrderDocument>(
  { _id: { type: String, required: true }, last: String, idleSince: Date },
  { collection: 'webhookOrders', versionKey: false },
);
keepWhole(orderSchema, 'small, kept a day, and written beside events');
orderSchema.index({ idleSince: 1 }, { expireAfterSeconds: KEPT_SECONDS });

export function createOrderModel(connection: Connection): OrderModel {
  return connection.model<OrderDocument>('WebhookOrder', orderSchema);
}
