import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { z } from 'zod';
import { isSystemError, OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { messageOf } from '../../../subgraphs/kernel/errors/thrown.ts';
import { printable } from '../../../subgraphs/kernel/log/printable.ts';
import { fieldOf } from '../../../subgraphs/kernel/objects.ts';
import {
  createRowReader,
  type Mapping,
  type SettlementRow,
} from '../../../subgraphs/ledger/settlement/mapping.ts';

/** The longest row that is read, in bytes. */
const MOST_ROW_BYTES = 65_536;
/** The most rows of a file. While it is imported, each row takes some bytes of memory. */
const MOST_ROWS = 1_000_000;
const MOST_ISSUES = 20;

const parsedRow = z.object({
  record: z.record(z.string(), z.string()),
  info: z.object({ lines: z.number() }),
});

/**
 * Reads the rows of a file, which is streamed.
 * @param hash gets the bytes of the file
 * @throws OperatorError for a file that is not as the mapping describes it, with line, column and fault of the first wrong rows
 */
export async function* readSettlementFile(
  file: string,
  mapping: Mapping,
  hash: Hash,
): AsyncGenerator<SettlementRow> {
  const issues: string[] = [];
  let [rows, wrong] = [0, 0];
  const read = createRowReader(mapping);
  const { columns, currencies } = mapping;
  for await (const { record, info } of parseRows(file, mapping, hash)) {
    const cell = (column: string) => record[column] ?? '';
    rows += 1;
    if (rows > MOST_ROWS) {
      throw new OperatorError(`${file} has more than ${MOST_ROWS} rows: divide it`);
    }
    const found = read(
      {
        ...{ reference: cell(columns.reference), amount: cell(columns.amount), date: cell(columns.date) },
        currency: columns.currency === undefined ? (currencies[0] ?? '') : cell(columns.currency),
      },
      info.lines,
    );
    if ('issues' in found) {
      wrong += 1;
      issues.push(...found.issues);
      issues.splice(MOST_ISSUES);
    } else {
      yield found;
    }
  }
  if (wrong > 0) {
    const heading = `${file}: ${wrong} of ${rows} rows are not as the mapping describes them`;
    throw new OperatorError([heading, ...issues].join('\n'));
  }
}

async function* parseRows(file: string, { columns, delimiter, encoding }: Mapping, hash: Hash) {
  let isEmpty = true;
  const parser = parse({
    ...{ delimiter, info: true, skip_empty_lines: true, max_record_size: MOST_ROW_BYTES },
    columns: (header: readonly string[]) => {
      isEmpty = false;
      return readHeader(file, columns, header);
    },
  });
  const decode = (chunks: AsyncIterable<Buffer>) => decodeChunks(chunks, encoding, hash);
  // The loop throws the errors: they destroy the parser.
  pipeline(createReadStream(file), decode, parser, () => undefined);
  try {
    for await (const parsed of parser) {
      yield parsedRow.parse(parsed);
    }
  } catch (error) {
    throw toOperatorError(error, file, encoding);
  }
  if (isEmpty) {
    throw new OperatorError(`${file} is empty`);
  }
}

async function* decodeChunks(chunks: AsyncIterable<Buffer>, encoding: string, hash: Hash) {
  // Without the mark at the beginning (BOM).
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

/** The names of the columns. @throws OperatorError when one of the mapping is not there once */
function readHeader(file: string, columns: Mapping['columns'], header: readonly string[]): string[] {
  const names = header.map((name) => name.trim());
  for (const column of Object.values(columns)) {
    const count = names.filter((name) => name === column).length;
    if (count !== 1) {
      const found = printable(names.slice(0, 50).join(', '));
      const amount = count === 0 ? 'no' : 'more than one';
      throw new OperatorError(`${file}: the first row has ${amount} column "${column}", but ${found}`);
    }
  }
  return names;
}

function toOperatorError(error: unknown, file: string, encoding: string): unknown {
  if (error instanceof CsvError) {
    return new OperatorError(`${file} is no CSV: ${error.message}`);
  }
  if (fieldOf(error, 'code') === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new OperatorError(
      `${file} is not encoded in ${encoding}: set encoding in the mapping, or convert it`,
    );
  }
  return isSystemError(error) ? new OperatorError(`${file} cannot be read: ${messageOf(error)}`) : error;
}
