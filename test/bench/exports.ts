import { KEYS } from '../support/seed.ts';
import { judge } from './compare.ts';
import type { LoadedServer } from './processes.ts';
import { say, table } from './stand.ts';

const MINUTE_MS = 60_000;
const WINDOW_DAYS = 31;
const ROWS = 300;
const LOOK_MS = 100;
/** Until the first byte of a file. */
const FIRST_BYTE_GOAL_MS = 1_000;
/** The limit of the server's memory for an export, in MiB. */
const MEMORY_GOAL_MIB = 100;

/** A file that is read to its end. */
interface Exported {
  readonly rows: number;
  readonly firstByteMs: number;
  readonly totalMs: number;
  /** How much more memory the server held than before, in MiB. */
  readonly grownMiB: number;
  /** Processor time of the server, in milliseconds. */
  readonly processMs: number;
}

/** Reads files of a partner with as many operations as `lists.ts` has filled in: whole, of a span, and of filters without index. */
export async function measureExports(server: LoadedServer): Promise<void> {
  say('\nOperations as a file, read by one client as fast as it can:');
  const day = (ago: number) => new Date(Date.now() - ago * 24 * 60 * MINUTE_MS).toISOString();
  const span = `createdAt.gte=${day(WINDOW_DAYS)}&createdAt.lt=${day(0)}`;
  // Few pages: on SecantusDB each takes time in proportion to all that match.
  const files = {
    all: `limit=${ROWS}`,
    '31 days': `${span}&limit=${ROWS}`,
    '31 days, an amount that none has': `${span}&amount.gte=999999999`,
  };
  const rows: string[][] = [];
  for (const [name, query] of Object.entries(files)) {
    const file = await readFile(server, query);
    const isEarly = file.firstByteMs <= FIRST_BYTE_GOAL_MS && file.grownMiB <= MEMORY_GOAL_MIB;
    rows.push([
      name,
      file.rows.toLocaleString('en'),
      ...[file.firstByteMs, file.totalMs, file.grownMiB].map((figure) => figure.toFixed(0)),
      ((file.processMs * 1_000) / Math.max(1, file.rows)).toFixed(0),
      judge.verdict(isEarly),
    ]);
  }
  const titles = ['file', 'rows', 'first byte, ms', 'last byte, ms', 'memory, MiB', 'CPU a row, µs'];
  table([...titles, `first byte ≤ ${FIRST_BYTE_GOAL_MS} ms, memory ≤ ${MEMORY_GOAL_MIB} MiB`], rows, 1);
}

/** Reads the file of the operations that a query selects. @throws when it is not answered 200 */
export async function readFile(server: LoadedServer, query: string): Promise<Exported> {
  const before = { memory: server.residentMiB(), processMs: server.processorMs() };
  let most = before.memory;
  const look = setInterval(() => {
    most = Math.max(most, server.residentMiB());
  }, LOOK_MS);
  const from = performance.now();
  try {
    const response = await fetch(`${server.url}/exports/operations.csv?${query}`, {
      headers: { 'X-API-Key': KEYS.acme },
    });
    if (response.status !== 200 || response.body === null) {
      throw new Error(`The export ${query} was answered ${response.status}: ${await response.text()}`);
    }
    let firstByteMs: number | undefined;
    let lines = 0;
    for await (const chunk of response.body) {
      firstByteMs ??= performance.now() - from;
      lines += countLines(chunk);
    }
    return {
      rows: lines - 1,
      firstByteMs: firstByteMs ?? Number.NaN,
      totalMs: performance.now() - from,
      grownMiB: most - before.memory,
      processMs: server.processorMs() - before.processMs,
    };
  } finally {
    clearInterval(look);
  }
}

/** No cell of these files has a line break of its own. */
function countLines(chunk: Uint8Array): number {
  return chunk.reduce((lines, byte) => lines + Number(byte === 0x0a), 0);
}
