#!/usr/bin/env node
// The command of the installed package: `remitgraph COMMAND [arguments]`. It runs the programs of programs.mjs, as the npm
// commands of a clone do.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { DIST, runCommand, runProgram } from '../build/dist.mjs';

/** By the name of a command: the program, arguments that come before the user's, and what `--help` says. */
const COMMANDS = {
  start: { program: 'server', help: 'the server; its settings come from the environment' },
  demo: {
    program: 'demo',
    help: 'the whole journey step by step, then the server; --once stops after the journey',
  },
  gateway: { program: 'gateway', help: 'the federation engine over any supergraph' },
  admin: { program: 'admin', help: 'tenants, keys, routes, rates and webhooks' },
  listen: {
    program: 'admin',
    first: ['listen'],
    help: "posts a sandbox partner's webhooks to a server on this machine",
  },
  watch: { program: 'watch', help: 'follows a money request in the terminal' },
  mcp: { program: 'mcp', help: "lets agents read a partner's payments, over the Model Context Protocol" },
  doctor: { program: 'doctor', help: 'looks at settings, machine and database, and says what to fix' },
  verify: {
    program: 'verify',
    help: 'proves that a MongoDB does all that the product relies on, in a database of its own',
  },
  audit: { program: 'audit', help: 'checks that the records of all partners agree with each other' },
  ledger: {
    program: 'ledger',
    help: "exports the journal, finds what was changed in an export, compares providers' files with it",
  },
  certs: { program: 'certs', help: 'certificates to try mutual TLS with' },
};

const USAGE = `remitgraph COMMAND [arguments]

${Object.entries(COMMANDS)
  .map(([name, { help }]) => `  ${name.padEnd(8)} ${help}`)
  .join('\n')}

  --help after a command prints its arguments; --version prints the version.

  remitgraph demo --once
  MONGODB_URI=mongodb://… remitgraph start
  remitgraph admin key create --tenant acme --scopes partner,partner_full --label backend

  Exit codes: 0 done; 1 an error; 2 a wrong command line; others are in a command's --help.
`;

/** Exit code of an invalid command line. */
const WRONG_USAGE = 2;

await runCommand(async () => {
  const [name = '--help', ...args] = process.argv.slice(2);
  if (name === '--help' || name === '-h') {
    process.stdout.write(USAGE);
  } else if (name === '--version') {
    process.stdout.write(`${JSON.parse(readFileSync(join(DIST, '..', 'package.json'), 'utf8')).version}\n`);
  } else if (Object.hasOwn(COMMANDS, name)) {
    const { program, first = [] } = COMMANDS[name];
    process.setSourceMapsEnabled(true);
    // Its programs say how to run another: by this command, not by npm's.
    globalThis[Symbol.for('remitgraph.installed')] = true;
    await runProgram(program, [...first, ...args]);
  } else {
    process.stderr.write(`There is no command "${name}".\n\n${USAGE}`);
    process.exitCode = WRONG_USAGE;
  }
});
