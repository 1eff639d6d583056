import { csvRecord } from '../../../rest-compat/exports/csv.ts';
import { printableLines } from '../../../subgraphs/kernel/log/printable.ts';
import type { OperatorLogDocument } from '../../../subgraphs/partners/operator-log/index.ts';
import {
  OPERATOR_LOG_COLUMNS,
  toOperatorLogCells,
  toOperatorLogRow,
} from '../../../subgraphs/partners/operator-log/rows.ts';
import {
  type AdminDeps,
  type Answer,
  type Command,
  existingTenant,
  optionWith,
  textOf,
  UsageError,
  type Values,
} from './command.ts';
import { limitOf, readFirst, timeOf } from './listing.ts';

const MOST_LISTED = 100_000;

/** The log of operators' acts, on the command line and in the console. */
export const LOG_COMMANDS: Readonly<Record<string, Command>> = {
  log: {
    summary: 'The acts of operators, newest first: who, when, what, before and after',
    options: {
      tenant: optionWith('ID', 'Only acts about this tenant.'),
      act: optionWith('COMMAND', 'Only acts of this name, such as "remittances fail".'),
      since: optionWith('TIME', 'At this time or later, such as 2026-11-21T08:00:00Z.'),
      until: optionWith('TIME', 'Before this time.'),
      limit: optionWith('N', `At most, 1 to ${MOST_LISTED}; by default 100.`),
      csv: { type: 'boolean', meaning: 'As CSV.' },
      jsonl: { type: 'boolean', meaning: 'As JSON lines, one entry a line.' },
    },
    required: [],
    examples: ['log --tenant acme', 'log --since 2026-11-01T00:00:00Z --limit 100000 --csv'],
    run: showLog,
  },
};

async function showLog(deps: AdminDeps, values: Values): Promise<Answer> {
  if (values.csv === true && values.jsonl === true) {
    throw new UsageError('Give either --csv or --jsonl.');
  }
  const entries = await readEntries(deps, values);
  if (values.csv === true) {
    return { rows: [], text: toCsv(entries) };
  }
  const rows = entries.map(toOperatorLogRow);
  return values.jsonl === true
    ? { rows: [], text: rows.map((row) => `${printableLines(JSON.stringify(row))}\n`).join('') }
    : { rows: rows.map(withoutNulls) };
}

async function readEntries(deps: AdminDeps, values: Values): Promise<OperatorLogDocument[]> {
  const tenantId =
    values.tenant === undefined ? undefined : (await existingTenant(deps.tenants, values, 'tenant')).tenantId;
  const filter = {
    tenantId,
    act: textOf(values, 'act'),
    since: timeOf(values, 'since'),
    until: timeOf(values, 'until'),
  };
  return readFirst(limitOf(values, MOST_LISTED), (page) => deps.operatorLog.list(filter, page));
}

function toCsv(entries: readonly OperatorLogDocument[]): string {
  return [OPERATOR_LOG_COLUMNS, ...entries.map(toOperatorLogCells)].map(csvRecord).join('');
}

/** States as JSON text, for people. */
function withoutNulls(row: ReturnType<typeof toOperatorLogRow>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
