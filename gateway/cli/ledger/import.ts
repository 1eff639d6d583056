import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { z } from 'zod';
import { accountOf } from '../../../subgraphs/kernel/account.ts';
import { HELP, printUsage } from '../../../subgraphs/kernel/command-line.ts';
import { loadConfig } from '../../../subgraphs/kernel/config/load.ts';
import { OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { messageOf } from '../../../subgraphs/kernel/errors/thrown.ts';
import { createLogger } from '../../../subgraphs/kernel/log/log.ts';
import { isDate } from '../../../subgraphs/kernel/person/checks.ts';
import type { OnProgress, SettlementInput } from '../../../subgraphs/ledger/settlement/import.ts';
import { type Mapping, mappingSchema } from '../../../subgraphs/ledger/settlement/mapping.ts';
import type { SettlementFileDocument } from '../../../subgraphs/ledger/settlement/model.ts';
import { attachConfiguredDatabase } from '../../app/database.ts';
import { createSubgraphs } from '../../app/subgraphs.ts';
import { readSettlementFile } from './settlement-file.ts';

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean', default: false } as const;

/** The options of `ledger import`. */
export const IMPORT_OPTIONS = {
  ...{ file: TEXT, mapping: TEXT, tenant: TEXT, from: TEXT, to: TEXT },
  ...{ sandbox: FLAG, live: FLAG, json: FLAG, help: HELP },
} as const;

interface ImportOptions {
  readonly file?: string | undefined;
  readonly mapping?: string | undefined;
  readonly tenant?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly sandbox: boolean;
  readonly live: boolean;
  readonly json: boolean;
}

/** A server that only migrated databases start, and that serves nothing. */
const SERVES_NOTHING = { ROLE: 'worker', MIGRATE_ON_START: false } as const;
/** By how much the heap grows before V8 collects garbage. By default it would grow to four times of what is in use. */
const HEAP_GROWTH_PERCENT = 50;
const BAR_WIDTH = 30;
/** The progress is shown for each so many rows. */
const SHOWN_EVERY = 500;

/**
 * Imports a provider's file, with a progress bar where standard error is a terminal.
 * @returns the exit code: 0 when the import of this file has opened no discrepancy, 1 when it has, 2 for a wrong command line
 */
export async function runImport(options: ImportOptions, usage: string): Promise<number> {
  const { file, mapping, tenant, sandbox, live, json } = options;
  const period = periodOf(options);
  const issues = [
    ...(['file', 'mapping', 'tenant'] as const).flatMap((name) =>
      options[name] ? [] : `--${name} is missing`,
    ),
    ...(sandbox === live ? ['Give either --sandbox or --live'] : []),
    ...(period === 'invalid'
      ? ['--from and --to take days, such as 2026-11-01, and are given together']
      : []),
  ];
  if (!(file && mapping && tenant) || period === 'invalid' || issues.length > 0) {
    return printUsage({ issues }, usage);
  }
  const accountId = accountOf(tenant, live ? 'live' : 'sandbox');
  const terms = await readMapping(mapping);
  const readRows: SettlementInput['readRows'] = (hash) => readSettlementFile(file, terms, hash);
  const { file: done, isRepeated } = await importFile({ accountId, mapping: terms, readRows, period });
  const discrepancies = Object.values(done.opened).reduce((sum, count) => sum + count, 0);
  const { fileId, rows, matched, opened } = done;
  if (json) {
    process.stdout.write(`${JSON.stringify({ fileId, isRepeated, rows, matched, opened })}\n`);
  }
  process.stderr.write(`${describe(done, isRepeated, discrepancies)}\n`);
  return discrepancies === 0 ? 0 : 1;
}

function periodOf({ from, to }: ImportOptions): SettlementInput['period'] | 'invalid' {
  if (from === undefined && to === undefined) {
    return undefined;
  }
  return from !== undefined && to !== undefined && isDate(from) && isDate(to) ? { from, to } : 'invalid';
}

/** @throws OperatorError for a file that cannot be read, and for each wrong setting */
async function readMapping(file: string): Promise<Mapping> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new OperatorError(`The mapping ${file} cannot be read: ${messageOf(error)}`);
  }
  const mapping = mappingSchema.safeParse(value);
  if (!mapping.success) {
    throw new OperatorError(`The mapping ${file} is invalid:\n${z.prettifyError(mapping.error)}`);
  }
  return mapping.data;
}

async function importFile(input: SettlementInput) {
  const config = { ...loadConfig(process.env), ...SERVES_NOTHING };
  const log = createLogger({ level: 'error' });
  const database = await attachConfiguredDatabase(config, log);
  const subgraphs = await createSubgraphs({ config, connection: database.connection, log });
  try {
    await subgraphs.prepare();
    setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
    return await subgraphs.settlement.import(input, showProgress);
  } finally {
    showLine('');
    await subgraphs.stop();
    await database.close();
  }
}

const showProgress: OnProgress = (step, done, of) => {
  if (done % SHOWN_EVERY !== 0 && done !== of) {
    return;
  }
  if (of === undefined) {
    showLine(step === 'check' ? `${done} rows checked` : `${done} journal entries of the period examined`);
    return;
  }
  const filled = Math.floor((done / Math.max(1, of)) * BAR_WIDTH);
  showLine(`[${'#'.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}] ${done} of ${of} rows`);
};

function showLine(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : '');
}

function describe(
  { rows, matched, opened }: SettlementFileDocument,
  isRepeated: boolean,
  discrepancies: number,
): string {
  const kinds = Object.entries(opened).map(([kind, count]) => `${kind} ${count}`);
  const counts = [`${rows} rows`, `${matched} matched`];
  const found =
    discrepancies === 0 ? 'no new discrepancy' : `${discrepancies} new discrepancies: ${kinds.join(', ')}`;
  const text = `${counts.join(', ')}; ${found}`;
  return isRepeated ? `This file was imported before, and nothing changes. It had ${text}` : text;
}
