// `remitgraph/client`: follows live events in browsers and in Node. It imports nothing from the rest of the product.
export type { BackoffOptions } from './backoff.ts';
export {
  createLiveClient,
  type FollowOptions,
  type ListAndSubscription,
  type LiveClient,
  type LiveClientOptions,
  type Subscription,
} from './client.ts';
export type { Credential } from './credential.ts';
export type { Decimal } from './decimal.ts';
export { type Listener, listen } from './listen.ts';
export { LiveError, type LiveErrorDetails, type ResultError } from './live-error.ts';
export type { LiveEvent, LiveList, LiveState } from './live-items.ts';
export type { LiveIterator } from './live-iterator.ts';
export type { WebSocketConstructor, WebSocketLike } from './socket-connection.ts';
export type { AnyFields, FollowedOperation, Operation, TypedDocument } from './typed-document.ts';
