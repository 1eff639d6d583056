import { parseArgs } from 'node:util';
import { commandLine } from '../../../subgraphs/kernel/command-line.ts';
import { messageOf } from '../../../subgraphs/kernel/errors/thrown.ts';
import { type AdminDeps, type Answer, type Command, UsageError, type Values } from './command.ts';
import { CONSOLE_COMMANDS } from './console-commands.ts';
import { ENDPOINT_COMMANDS } from './endpoint-commands.ts';
import { EVENT_COMMANDS } from './event-commands.ts';
import { KEY_COMMANDS } from './key-commands.ts';
import { LISTEN_COMMANDS } from './listen/command.ts';
import { LOG_COMMANDS } from './log-commands.ts';
import { LACKING, MIGRATE_COMMANDS } from './migrate-commands.ts';
import { REMITTANCE_COMMANDS } from './remittance-commands.ts';
import { RESUME_COMMANDS } from './resume-commands.ts';
import { ROUTE_COMMANDS } from './route-commands.ts';
import { TENANT_COMMANDS } from './tenant-commands.ts';
import { USER_COMMANDS } from './user-commands.ts';
import { WEBHOOK_COMMANDS } from './webhook-commands.ts';
import { WEBHOOK_TOTALS_COMMANDS } from './webhook-totals.ts';

export { type AdminDeps, type Answer, UsageError } from './command.ts';

const COMMANDS: Readonly<Record<string, Command>> = {
  ...TENANT_COMMANDS,
  ...KEY_COMMANDS,
  ...CONSOLE_COMMANDS,
  ...ROUTE_COMMANDS,
  ...USER_COMMANDS,
  ...WEBHOOK_TOTALS_COMMANDS,
  ...LISTEN_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...ENDPOINT_COMMANDS,
  ...REMITTANCE_COMMANDS,
  ...RESUME_COMMANDS,
  ...LOG_COMMANDS,
  ...MIGRATE_COMMANDS,
  ...EVENT_COMMANDS,
  'encryption rotate': {
    summary: 'Seal all data under ENCRYPTION_KEY that is under ENCRYPTION_KEY_PREVIOUS',
    options: {},
    required: [],
    examples: ['encryption rotate'],
    run: rotateKeys,
  },
};

const LONGEST_NAME = Math.max(...Object.keys(COMMANDS).map((name) => name.length));

const EXIT_CODES = `Exit codes: 0 done; 1 an error; 2 a wrong command line; ${LACKING} migrate --status: this version cannot start yet.`;

export const USAGE = `Usage: ${commandLine('admin', 'COMMAND [OPTIONS] [--json]')}

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(LONGEST_NAME)}  ${summary}`)
  .join('\n')}

Options of a command: ${commandLine('admin', 'COMMAND --help')}

Examples:
  ${commandLine('admin', 'tenant list --json')}
  ${commandLine('admin', 'key create --tenant acme --scopes partner,partner_full --label backend')}

${EXIT_CODES}`;

/** A parsed command line: help to show, or a command to run. */
type CommandLine =
  | { readonly kind: 'help'; readonly text: string }
  | {
      readonly kind: 'run';
      readonly json: boolean;
      readonly migrates: boolean;
      run(deps: AdminDeps): Promise<Answer>;
    };

/**
 * Parses a command line. `--help` works everywhere in it, even without a command. @throws UsageError for an unknown command,
 * and for options that the command does not have
 */
export function readCommandLine(args: readonly string[]): CommandLine {
  const words = args.slice(0, args.findIndex((arg) => arg.startsWith('-')) >>> 0);
  const name = words.join(' ');
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const wantsHelp = args.includes('--help') || args.includes('-h') || name === 'help';
  if (!command) {
    return wantsHelp ? { kind: 'help', text: helpAbout(words) } : rejectCommand(name);
  }
  if (wantsHelp) {
    return { kind: 'help', text: helpOf(name, command) };
  }
  const { json, ...values } = readOptions(name, command, args.slice(words.length));
  for (const option of command.required) {
    if (values[option] === undefined || values[option] === '') {
      throw new UsageError(`--${option} is required.\n${usageOf(name, command)}`);
    }
  }
  const { migrates = false, isAct = false } = command;
  const run = (deps: AdminDeps) =>
    isAct
      ? deps.acts.record(name, deps.operator, () => command.run(deps, values))
      : command.run(deps, values);
  return { kind: 'run', json: json === true, migrates, run };
}

/** Runs one command line. @throws UsageError when it cannot be run */
export async function runCommand(deps: AdminDeps, args: readonly string[]): Promise<Answer> {
  const line = readCommandLine(args);
  return line.kind === 'help' ? { rows: [], note: line.text } : line.run(deps);
}

function readOptions(name: string, command: Command, args: readonly string[]): Values {
  const options = { ...command.options, json: { type: 'boolean' } } as const;
  try {
    // The cast: `parseArgs` types the values by options that are known when it is compiled.
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values as Values;
  } catch (error) {
    // Only the first sentence: the rest is about arguments of other programs.
    const [issue = ''] = messageOf(error).split('. ');
    throw new UsageError(`${issue.replace(/\.$/, '')}.\n${usageOf(name, command)}`);
  }
}

function rejectCommand(name: string): never {
  throw new UsageError(name === '' ? 'Which command?' : `There is no command "${name}".`);
}

/** All commands, or those that begin with the words. */
function helpAbout(words: readonly string[]): string {
  const [first] = words;
  const group = Object.entries(COMMANDS).filter(([name]) => name.startsWith(`${first} `));
  return group.length === 0 ? USAGE : group.map(([name, command]) => helpOf(name, command)).join('\n\n');
}

function usageOf(name: string, { options, required }: Command): string {
  const shown = Object.entries(options).map(([option, { value }]) => {
    const text = value === undefined ? `--${option}` : `--${option} ${value}`;
    return required.includes(option) ? text : `[${text}]`;
  });
  return `Usage: ${commandLine('admin', [name, ...shown, '[--json]'].join(' '))}`;
}

function helpOf(name: string, command: Command): string {
  const described = Object.entries(command.options).map(
    ([option, { value, meaning }]) => `  ${`--${option} ${value ?? ''}`.padEnd(28)} ${meaning}`,
  );
  return [
    `${command.summary}.`,
    '',
    usageOf(name, command),
    ...(described.length > 0 ? ['', ...described] : []),
    '',
    'Examples:',
    ...command.examples.map((example) => `  ${commandLine('admin', example)}`),
    '',
    EXIT_CODES,
  ].join('\n');
}

async function rotateKeys(deps: AdminDeps): Promise<Answer> {
  const rows = (await deps.rotateKeys()).map((rotated) => ({ ...rotated }));
  return {
    rows,
    note: 'Done. Run it again once no process writes under the former key: when nothing is resealed, that key may go.',
  };
}
