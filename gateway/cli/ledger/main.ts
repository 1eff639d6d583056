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
import { describeFatal } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { createLogger } from '../../../subgraphs/kernel/log/log.ts';
import { printableLines } from '../../../subgraphs/kernel/log/printable.ts';
import { type ExportRange, exportJournal } from '../../../subgraphs/ledger/export.ts';
import { createLedgerModels } from '../../../subgraphs/ledger/store/model.ts';
import { readEnds, verifyExport } from '../../../subgraphs/ledger/verify.ts';
import { attachConfiguredDatabase } from '../../app/database.ts';
import { readExport, writeExport } from './file.ts';

const EXIT = { well: 0, finding: 1 } as const;

const USAGE = `${commandLine('ledger', 'export --file FILE [options]')}   writes the journal to a new file
${commandLine('ledger', 'verify --file FILE [options]')}   finds what was changed in it, without the database

export
  --tenant ID       only this partner's sandbox, or with --live its live journal   (default: all partners)
  --live
  --from DAY        from this day on, YYYY-MM-DD in UTC                             (default: from the first entry)
verify
  --earlier FILE    an export from before, of the same partners: its entries must still be there
  --json            prints each finding as a line of JSON

verify needs the ENCRYPTION_KEY of the servers. Keep exports where no administrator of the database can
write: an earlier one shows that the database was set back to an older state.

Examples:
  MONGODB_URI=mongodb://… ${commandLine('ledger', 'export --file journal-2026-11.jsonl')}
  ${commandLine('ledger', 'verify --file journal-2026-11.jsonl --earlier journal-2026-10.jsonl')}

Exit codes: 0 done, nothing was changed; 1 a finding, or an error; 2 a wrong command line.
`;

const FILE = { type: 'string' } as const;
const FLAG = { type: 'boolean', default: false } as const;

async function main([command, ...args]: readonly string[]): Promise<number> {
  if (command === 'export') {
    const options = parseOptions(args, { file: FILE, tenant: FILE, live: FLAG, from: FILE, help: HELP });
    return 'issues' in options ? printUsage(options, USAGE) : runExport(options);
  }
  if (command === 'verify') {
    const options = parseOptions(args, { file: FILE, earlier: FILE, json: FLAG, help: HELP });
    return 'issues' in options ? printUsage(options, USAGE) : runVerify(options);
  }
  const isHelp = command === '--help' || command === '-h';
  return printUsage({ issues: isHelp ? [] : ['The first argument is export or verify'] }, USAGE);
}

const NO_FILE: Usage = { issues: ['--file is missing'] };

async function runExport(options: {
  readonly file?: string | undefined;
  readonly tenant?: string | undefined;
  readonly live: boolean;
  readonly from?: string | undefined;
}): Promise<number> {
  const { file, tenant, live, from } = options;
  if (file === undefined) {
    return printUsage(NO_FILE, USAGE);
  }
  if (from !== undefined && !/^\d{4}-\d\d-\d\d$/.test(from)) {
    return printUsage({ issues: ['--from takes a day, such as 2026-11-01'] }, USAGE);
  }
  if (live && tenant === undefined) {
    return printUsage({ issues: ['--live needs --tenant'] }, USAGE);
  }
  const accountId = tenant === undefined ? undefined : accountOf(tenant, live ? 'live' : 'sandbox');
  const range: ExportRange = { accountId, from };
  const database = await attachConfiguredDatabase(loadConfig(process.env), createLogger({ level: 'error' }));
  try {
    const entries = await writeExport(file, exportJournal(createLedgerModels(database.connection), range));
    process.stderr.write(`${entries} entries written to ${file}\n`);
    return EXIT.well;
  } finally {
    await database.close();
  }
}

async function runVerify(options: {
  readonly file?: string | undefined;
  readonly earlier?: string | undefined;
  readonly json: boolean;
}): Promise<number> {
  const { file, earlier, json } = options;
  if (file === undefined) {
    return printUsage(NO_FILE, USAGE);
  }
  const box = keyringOf(loadConfig(process.env)).box('fields');
  const ends = earlier === undefined ? undefined : await readEnds(readExport(earlier));
  const { accounts, entries, findings } = await verifyExport(readExport(file), box, ends);
  for (const finding of findings) {
    const { accountId, place, text } = finding;
    const line = json ? JSON.stringify(finding) : `${accountId}  ${place}  ${text}`;
    process.stdout.write(printableLines(`${line}\n`));
  }
  process.stderr.write(`${entries} entries of ${accounts} accounts, ${findings.length} findings\n`);
  return findings.length === 0 ? EXIT.well : EXIT.finding;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${describeFatal(error)}\n`);
    process.exit(EXIT.finding);
  },
);
