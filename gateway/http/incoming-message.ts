import { IncomingMessage } from 'node:http';

/** Path of WebSockets. */
const PATH = '/graphql';

/**
 * Ignores a request's offer to upgrade, unless it is to WebSocket on a path that has one. Other requests are answered
 * without the upgrade: an unknown path gets its surface's 404. Node passes every upgrade to the listener as soon as
 * there is one, so clients that offer HTTP/2 on plain HTTP (as Java's client does by default) would get no answer.
 */
export class WebSocketUpgradeMessage extends IncomingMessage {
  /** Only declared: the constructor above sets `upgrade` before fields of this class would be initialised. */
  declare private offered: boolean;

  get upgrade(): boolean {
    return (
      this.offered &&
      this.method === 'GET' &&
      this.headers.upgrade?.toLowerCase() === 'websocket' &&
      this.url?.split('?', 1)[0] === PATH
    );
  }

  set upgrade(offered: boolean | null) {
    this.offered = offered === true;
  }
}
