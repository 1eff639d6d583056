import 'reflect-metadata';
import { accountOf } from '../../../subgraphs/kernel/account.ts';
import {
  commandLine,
  HELP,
  parseOptions,
  printUsage,
  type Usage,
} from '../../../subgraphs/kernel/command-line.ts';
import { loadConfig } from '../../../subgraphs/kernel/config/load.ts';
import { keyringOf } from '../../../subgraphs/kernel/crypto/keyring.ts';
import { describeFatal, OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { createLogger } from '../../../subgraphs/kernel/log/log.ts';
import { printableLines } from '../../../subgraphs/kernel/log/printable.ts';
import { isDate } from '../../../subgraphs/kernel/person/checks.ts';
import { exportJournal } from '../../../subgraphs/ledger/export.ts';
import { createLedgerModels } from '../../../subgraphs/ledger/store/model.ts';
import { verifyExport } from '../../../subgraphs/ledger/verify.ts';
import { createTenantModels, unknownPartner } from '../../../subgraphs/partners/tenants/model.ts';
import { attachConfiguredDatabase } from '../../app/database.ts';
import { listenForStop } from '../../app/stop-signals.ts';
import { readExport, writeExport } from './file.ts';
import { IMPORT_OPTIONS, runImport } from './import.ts';

const EXIT = { well: 0, finding: 1 } as const;

const USAGE = `${commandLine('ledger', 'export --file FILE [options]')}   writes the journal to a new file
${commandLine('ledger', 'verify --file FILE [options]')}   finds what was changed in it, without the database
${commandLine('ledger', 'import --file FILE --mapping FILE --tenant ID --sandbox|--live [options]')}
                                                  compares a provider's settlement file with the journal

export
  --tenant ID       only this partner's sandbox, or with --live its live journal   (default: all partners)
  --live
  --from DAY        from this day on, YYYY-MM-DD in UTC                             (default: from the first entry)
verify
  --from DAY        of the export, when it was given
  --json            prints each finding as a line of JSON
import
  --mapping FILE    JSON: how to read the CSV file; see Settlement files on the page Operations of the docs
  --tenant ID       the partner, and its environment: --sandbox or --live
  --from DAY        with --to: the days, YYYY-MM-DD in the mapping's time zone, all of whose movements the
  --to DAY          file must have; without them no movement is reported as missing with the provider
  --json            prints the counts as a line of JSON

verify needs the ENCRYPTION_KEY of the servers; import takes the whole environment of a server. Keep exports where no
administrator of the database can write: each entry of an earlier one is a line of a later one, unless the database was set back.

Examples:
  MONGODB_URI=mongodb://… ${commandLine('ledger', 'export --file journal.jsonl')}
  ${commandLine('ledger', 'verify --file journal.jsonl')}
  comm -23 <(grep '"type":"entry"' earlier.jsonl | sort) <(sort journal.jsonl)   # entries that are gone
  ${commandLine('ledger', 'import --file acquirer.csv --mapping acquirer.json --tenant acme --live --from 2026-11-01 --to 2026-11-30')}

Exit codes: 0 done, nothing was changed, no new discrepancy; 1 a finding, a new discrepancy, or an error; 2 a wrong command line.
`;

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean', default: false } as const;

async function main([command, ...args]: readonly string[]): Promise<number> {
  if (command === 'export') {
    const options = parseOptions(args, { file: TEXT, from: TEXT, tenant: TEXT, live: FLAG, help: HELP });
    return runOn(options, runExport);
  }
  if (command === 'verify') {
    return runOn(parseOptions(args, { file: TEXT, from: TEXT, json: FLAG, help: HELP }), runVerify);
  }
  if (command === 'import') {
    const options = parseOptions(args, IMPORT_OPTIONS);
    return 'issues' in options ? printUsage(options, USAGE) : runImport(options, USAGE);
  }
  const isHelp = command === '--help' || command === '-h';
  return printUsage({ issues: isHelp ? [] : ['The first argument is export, verify or import'] }, USAGE);
}

interface Options {
  readonly file?: string | undefined;
  readonly from?: string | undefined;
  readonly live?: boolean | undefined;
  readonly tenant?: string | undefined;
  readonly json?: boolean | undefined;
}

/** Runs a command with valid options. */
async function runOn(
  options: Options | Usage,
  run: (file: string, options: Options) => Promise<number>,
): Promise<number> {
  if ('issues' in options) {
    return printUsage(options, USAGE);
  }
  const { file, from, live, tenant } = options;
  if (file === undefined) {
    return printUsage({ issues: ['--file is missing'] }, USAGE);
  }
  if (from !== undefined && !isDate(from)) {
    return printUsage({ issues: ['--from takes a day, such as 2026-11-01'] }, USAGE);
  }
  if (live && tenant === undefined) {
    return printUsage({ issues: ['--live needs --tenant'] }, USAGE);
  }
  return run(file, options);
}

async function runExport(file: string, { from, tenant, live }: Options): Promise<number> {
  const accountId = tenant === undefined ? undefined : accountOf(tenant, live ? 'live' : 'sandbox');
  const stopping = new AbortController();
  listenForStop({
    stop: () => stopping.abort(new OperatorError(`Stopped: ${file} was not written`)),
    force: () => process.exit(EXIT.finding),
  });
  const database = await attachConfiguredDatabase(loadConfig(process.env), createLogger({ level: 'error' }));
  try {
    if (accountId && !(await createTenantModels(database.connection).tenants.exists({ _id: accountId }))) {
      throw unknownPartner(accountId);
    }
    const exported = exportJournal(createLedgerModels(database.connection), { accountId, from });
    process.stderr.write(
      `${await writeExport(file, exported, stopping.signal)} entries written to ${file}\n`,
    );
    return EXIT.well;
  } finally {
    await database.close();
  }
}

async function runVerify(file: string, { from, json }: Options): Promise<number> {
  const box = keyringOf(loadConfig(process.env)).box('fields');
  let [entries, found] = [0, 0];
  for await (const part of verifyExport(readExport(file), box, from)) {
    entries += part.entries;
    found += part.findings.length;
    for (const finding of part.findings) {
      const { accountId, place, text } = finding;
      const line = json ? JSON.stringify(finding) : `${accountId}  ${place}  ${text}`;
      process.stdout.write(printableLines(`${line}\n`));
    }
  }
  process.stderr.write(`${entries} entries, ${found} findings\n`);
  return found === 0 ? EXIT.well : EXIT.finding;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${describeFatal(error)}\n`);
    process.exit(EXIT.finding);
  },
);
