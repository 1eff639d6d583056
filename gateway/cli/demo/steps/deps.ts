import type { Connection } from 'mongoose';
import type { Client } from '../client.ts';
import type { Partner } from '../partner.ts';
import type { Receiver } from '../receiver.ts';
import type { Terminal } from '../terminal.ts';

/** The dependencies of the journey's steps. */
export interface StepDeps {
  /** Where the server listens, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  readonly partner: Partner;
  readonly receiver: Receiver;
  /** The connection to the server's store. */
  readonly connection: Connection;
  readonly client: Client;
  readonly colors: Terminal['colors'];
}
