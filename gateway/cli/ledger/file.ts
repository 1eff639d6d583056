import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { keysOf } from '../../../subgraphs/kernel/objects.ts';
import { CHART, ENTRY_KINDS } from '../../../subgraphs/ledger/chart.ts';
import type { ExportLine } from '../../../subgraphs/ledger/export.ts';
import { EVENT_ENTITIES } from '../../../subgraphs/runtime/events/model.ts';

const accountId = z.templateLiteral([z.string(), '/', z.enum(['sandbox', 'live'])]);
const count = z.int().nonnegative();
const time = z.iso.datetime();
const lines = z.array(
  z.object({
    account: z.enum(keysOf(CHART)),
    currency: z.string(),
    amount: z.string().regex(/^-?\d{1,40}(\.\d{1,20})?$/),
  }),
);
const end = {
  ...{ accountId, number: count, hash: z.string(), bookedAt: time, balances: lines, seal: z.base64() },
};
const entry = z.object({
  ...{ _id: z.string(), accountId, entity: z.enum(EVENT_ENTITIES), entityId: z.string(), version: count },
  ...{
    kind: z.enum(keysOf(ENTRY_KINDS)),
    lines,
    createdAt: time,
    number: count,
    bookedAt: time,
    day: z.string(),
    hash: z.string(),
  },
});
const exportLine = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['start', 'day']), value: z.object({ ...end, _id: z.string(), day: z.string() }) }),
  z.object({ type: z.literal('entry'), value: entry }),
  z.object({
    type: z.literal('end'),
    value: z.object({ ...end, _id: accountId, seq: count }),
  }),
]);

/**
 * Writes an export to a new file, a line of JSON each. The file has its name once it is complete: nothing in a part of one shows which
 * accounts are missing. @throws OperatorError when the file is there already; the reason of the signal after it, when nothing is left
 */
export async function writeExport(
  file: string,
  exported: AsyncIterable<ExportLine>,
  signal?: AbortSignal,
): Promise<number> {
  if (existsSync(file)) {
    throw new OperatorError(`${file} is there already`);
  }
  const part = `${file}.${process.pid}.part`;
  let entries = 0;
  async function* texts() {
    for await (const line of exported) {
      entries += line.type === 'entry' ? 1 : 0;
      yield `${JSON.stringify(line)}\n`;
    }
  }
  try {
    const to = createWriteStream(part, { flags: 'wx', mode: 0o600 });
    await pipeline(Readable.from(texts()), to, { ...(signal && { signal }) });
    await rename(part, file);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    await rm(part, { force: true });
  }
  return entries;
}

/** The lines of an export, one after the other. @throws OperatorError for a line that is none */
export async function* readExport(file: string): AsyncGenerator<ExportLine> {
  const stream = createReadStream(file);
  let number = 0;
  for await (const text of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    yield readLine(file, number, text);
  }
}

function readLine(file: string, number: number, text: string): ExportLine {
  const line = exportLine.safeParse(parse(text));
  if (!line.success) {
    throw new OperatorError(
      `${file}: line ${number} is no line of an export: ${z.prettifyError(line.error)}`,
    );
  }
  return line.data;
}

/** Undefined for a text that is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
