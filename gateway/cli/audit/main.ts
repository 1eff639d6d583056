import 'reflect-metadata';
import { accountOf } from '../../../subgraphs/kernel/account.ts';
import { commandLine, HELP, parseOptions, printUsage } from '../../../subgraphs/kernel/command-line.ts';
import { loadConfig } from '../../../subgraphs/kernel/config/load.ts';
import { describeFatal } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { createLogger } from '../../../subgraphs/kernel/log/log.ts';
import { printableLines } from '../../../subgraphs/kernel/log/printable.ts';
import type { Violation } from '../../../subgraphs/runtime/audit/audit.ts';
import { attachConfiguredDatabase } from '../../app/database.ts';
import { createSubgraphs } from '../../app/subgraphs.ts';

const EXIT = { well: 0, violation: 1 } as const;

const USAGE = `${commandLine('audit', '[options]')}   checks that the records of all partners agree with each other

  --days N        only records that changed in the last N days, and     (default: all)
                  webhooks and figures that were made in them
  --tenant ID     only this partner's sandbox, or with --live its live records
  --live
  --json          prints each violation as a line of JSON

It takes the environment of a server, and changes no record. The server may run. Progress is on standard error.
deploy/runbook.md says what to do about a violation.

Examples:
  MONGODB_URI=mongodb://… ${commandLine('audit')}
  ${commandLine('audit', '--days 1 --json')} | jq -r .check | sort | uniq -c

Exit codes: 0 no violation; 1 a violation, or an error; 2 a wrong command line.
`;

async function main(args: readonly string[]): Promise<number> {
  const options = parseOptions(args, {
    days: { type: 'string' },
    tenant: { type: 'string' },
    live: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: HELP,
  });
  if ('issues' in options) {
    return printUsage(options, USAGE);
  }
  const { days, tenant, live, json } = options;
  if (days !== undefined && !/^[1-9]\d{0,4}$/.test(days)) {
    return printUsage({ issues: ['--days takes a number of days from 1'] }, USAGE);
  }
  if (live && tenant === undefined) {
    return printUsage({ issues: ['--live needs --tenant'] }, USAGE);
  }
  const accountId = tenant === undefined ? undefined : accountOf(tenant, live ? 'live' : 'sandbox');
  return audit({ days: days === undefined ? undefined : Number(days), accountId }, json);
}

/** A server that only migrated databases start, and that serves nothing. */
const ONLY_READS = { ROLE: 'worker', MIGRATE_ON_START: false } as const;

async function audit(options: Parameters<typeof run>[1], json: boolean): Promise<number> {
  const config = { ...loadConfig(process.env), ...ONLY_READS };
  const log = createLogger({ level: 'error' });
  const database = await attachConfiguredDatabase(config, log);
  const subgraphs = await createSubgraphs({ config, connection: database.connection, log });
  try {
    await subgraphs.prepare();
    return await run(subgraphs.audit, options, (violation) => {
      const { check, accountId, record, text } = violation;
      const line = json ? JSON.stringify(violation) : `${check}  ${accountId}  ${record}  ${text}`;
      process.stdout.write(printableLines(`${line}\n`));
    });
  } finally {
    await subgraphs.stop();
    await database.close();
  }
}

async function run(
  { run: runChecks }: Awaited<ReturnType<typeof createSubgraphs>>['audit'],
  options: Parameters<typeof runChecks>[0],
  print: (violation: Violation) => void,
): Promise<number> {
  let [examined, found] = [0, 0];
  const show = (text: string) => process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : '');
  for await (const batch of runChecks(options, new AbortController().signal)) {
    examined += batch.examined;
    found += batch.violations.length;
    batch.violations.forEach(print);
    show(
      `${batch.done + 1} of ${batch.accounts} accounts: ${batch.accountId}, ${batch.check}; ${examined} records`,
    );
  }
  show('');
  process.stderr.write(`${examined} records examined, ${found} violations\n`);
  return found === 0 ? EXIT.well : EXIT.violation;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${describeFatal(error)}\n`);
    process.exit(EXIT.violation);
  },
);
