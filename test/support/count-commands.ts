import mongoose, { type Connection } from 'mongoose';

/** How many commands of each kind, such as `find users` or `bulkWrite`. */
export type CommandCounts = Readonly<Record<string, number>>;

/**
 * Counts the commands that are sent to the database while something is done, by anybody who uses the connection.
 * @param connection of a database that was opened with `monitorCommands`
 */
export async function countCommands(
  connection: Connection,
  work: () => Promise<unknown>,
): Promise<CommandCounts> {
  const counts: Record<string, number> = {};
  const count = ({ commandName, command }: { commandName: string; command: Record<string, unknown> }) => {
    const collection = command[commandName];
    const kind = typeof collection === 'string' ? `${commandName} ${collection}` : commandName;
    counts[kind] = (counts[kind] ?? 0) + 1;
  };
  const client = connection.getClient();
  client.on('commandStarted', count);
  try {
    await work();
  } finally {
    client.off('commandStarted', count);
  }
  return counts;
}

/**
 * The connection of the one server of a deployment that runs in this process.
 * @param database the test's own connection to the same database
 */
export function connectionOfServer(database: Connection): Connection {
  const [server, ...others] = mongoose.connections.filter(
    (one) => one !== database && one.name === database.name,
  );
  if (!server || others.length > 0) {
    throw new Error(`${server ? 'Several servers' : 'No server'} of this process use ${database.name}`);
  }
  return server;
}

const MONITORED = 'monitorCommands=true';

/** The URI of a database whose commands are counted. */
export function monitored(uri: string): string {
  return uri.includes(MONITORED) ? uri : `${uri}${uri.includes('?') ? '&' : '?'}${MONITORED}`;
}
