/** The screens of webhooks. They are loaded separately, because the first screen needs none of them. */
export { Deliveries } from './deliveries.tsx';
export { DeliveryScreen } from './delivery.tsx';
