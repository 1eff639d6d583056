import { type Exchange, exchangeWith, type RawResponse } from './http.ts';
import { CONFIGURATION } from './killed-calls.ts';
import type { Server } from './server.ts';
import { until } from './until.ts';

/** Sends a request over an exchange that the server follows. */
type Send = (exchange: Exchange) => Promise<RawResponse>;

/** A request that stands at a point of its way for good. */
export interface HeldRequest {
  /** undefined once its process is killed. */
  readonly answer: Promise<RawResponse | undefined>;
}

/** Has the server follow what is sent this way under an id, and hold it at a point: see `hold-at-command.ts`. */
function followed(server: Server, id: string, point: string): Exchange {
  const exchange = exchangeWith(server.url);
  const own = { 'X-Hold-At': point, 'X-Request-Id': id };
  return (request) => exchange({ ...request, headers: { ...request.headers, ...own } });
}

/** The server's reports of a request that it follows. */
function reported(server: Server, id: string): { command?: string; heldAt?: string }[] {
  const lines = server.output().split('\n');
  return lines.filter((line) => line.startsWith(`{"requestId":"${id}",`)).map((line) => JSON.parse(line));
}

/**
 * Sends a request that nothing holds. @param isWhole whether these are all commands of its way
 * @returns its answer, and its commands without those that serve all requests
 */
export async function learnCommands(
  server: Server,
  id: string,
  send: Send,
  isWhole: (commands: readonly string[]) => boolean = (commands) => commands.includes('commitTransaction'),
): Promise<{ answer: RawResponse; commands: string[] }> {
  const answer = await send(followed(server, id, 'nowhere'));
  const commands = () => reported(server, id).flatMap(({ command }) => command ?? []);
  await until(`the commands of ${id}`, () => isWhole(commands()));
  return { answer, commands: commands().filter((name) => !CONFIGURATION.test(name)) };
}

/** Sends a request, and waits until it stands at a point, such as `before insert events`. */
export async function holdAt(server: Server, id: string, point: string, send: Send): Promise<HeldRequest> {
  const answer = send(followed(server, id, point)).catch(() => undefined);
  await until(`${id} held ${point}`, () => reported(server, id).some(({ heldAt }) => heldAt === point));
  return { answer };
}

/** The points of a way at which something may be stored: before each write and each commit, and after each commit. */
export function writingPoints(commands: readonly string[]): string[] {
  return commands
    .filter((name) => /^(insert|update|delete|findAndModify|bulkWrite|commitTransaction)/.test(name))
    .flatMap((name) =>
      name.startsWith('commitTransaction') ? [`before ${name}`, `after ${name}`] : [`before ${name}`],
    );
}
