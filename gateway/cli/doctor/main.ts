import { commandLine, HELP, parseOptions, printUsage } from '../../../subgraphs/kernel/command-line.ts';
import 'reflect-metadata';
import { statfs } from 'node:fs/promises';
import type { Config } from '../../../subgraphs/kernel/config/load.ts';
import { describeFatal } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { createLogger } from '../../../subgraphs/kernel/log/log.ts';
import { printableLines } from '../../../subgraphs/kernel/log/printable.ts';
import { attachConfiguredDatabase } from '../../app/database.ts';
import { createSubgraphs } from '../../app/subgraphs.ts';
import { examine } from './examine.ts';
import type { Finding } from './finding.ts';

const EXIT = { well: 0, failure: 1 } as const;

const USAGE = `${commandLine('doctor', '[--json]')}   looks at settings, machine and database, and says what to fix

It takes the environment of a server, and writes nothing to its database. --json prints the findings as JSON.

Examples:
  MONGODB_URI=mongodb://… ${commandLine('doctor')}
  ${commandLine('doctor', '--json')} | jq '.[] | select(.status != "ok")'

Exit codes: 0 no check has failed, warnings may be left; 1 a check has failed; 2 a wrong command line.
`;

const MARKS: Readonly<Record<Finding['status'], string>> = {
  ok: 'ok     ',
  warning: 'WARNING',
  failure: 'FAILURE',
};

async function main(args: readonly string[]): Promise<number> {
  const options = parseOptions(args, { json: { type: 'boolean', default: false }, help: HELP });
  if ('issues' in options) {
    return printUsage(options, USAGE);
  }
  const findings = await examine({
    env: process.env,
    now: () => new Date(),
    freeBytes: async (folder) => {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    open,
  });
  const text = options.json ? `${JSON.stringify(findings, null, 2)}\n` : toText(findings);
  process.stdout.write(printableLines(text));
  return findings.some(({ status }) => status === 'failure') ? EXIT.failure : EXIT.well;
}

/** Opens the database as a server would, without making anything in it. */
async function open(config: Config) {
  const log = createLogger({ level: 'silent' });
  const database = await attachConfiguredDatabase(config, log);
  // They bring every model to the connection.
  await createSubgraphs({ config, connection: database.connection, log });
  return database;
}

function toText(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, status, what, fix }) => [
    `${MARKS[status]} ${check.padEnd(13)} ${what}`,
    ...(fix === undefined ? [] : [`${' '.repeat(MARKS[status].length + 15)}→ ${fix}`]),
  ]);
  return `${lines.join('\n')}\n`;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${describeFatal(error)}\n`);
    process.exit(EXIT.failure);
  },
);
