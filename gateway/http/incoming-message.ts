import { IncomingMessage } from 'node:http';

/** Where WebSockets are served. */
const PATH = '/graphql';

/**
 * A request whose offer to upgrade counts only when it is to WebSocket, where there is one. All others are answered as
 * if there were no offer: a path that is not known has its surface's 404. Node hands every upgrade to the listener as
 * soon as there is one; clients that offer HTTP/2 on plain HTTP (Java's does, by default) would get no answer.
 */
export class WebSocketUpgradeMessage extends IncomingMessage {
  /** Declared alone: the constructor above sets `upgrade` before fields of this class would be made. */
  declare private offered: boolean;

  get upgrade(): boolean {
    return (
      this.offered &&
      this.headers.upgrade?.toLowerCase() === 'websocket' &&
      this.url?.split('?', 1)[0] === PATH
    );
  }

  set upgrade(offered: boolean | null) {
    this.offered = offered === true;
  }
}
