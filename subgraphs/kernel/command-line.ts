import { type ParseArgsConfig, parseArgs } from 'node:util';

import { messageOf } from './errors/thrown.ts';

/** Set by `gateway/cli/remitgraph.mjs`, the command of the installed package. Of this process alone, unlike the environment. */
const INSTALLED = Symbol.for('remitgraph.installed');

/**
 * A command line of ours as the reader can type it: `npm run admin -- key list` in a clone, `remitgraph admin key list` where
 * the package is installed.
 * @param program such as `admin`
 */
export function commandLine(program: string, args = ''): string {
  if (Reflect.has(globalThis, INSTALLED)) {
    return `remitgraph ${program} ${args}`.trim();
  }
  const command = program === 'start' ? 'npm start' : `npm run ${program}`;
  return args === '' ? command : `${command} -- ${args}`;
}

/** A command line with issues, or a request for help. */
export interface Usage {
  /** The issues; empty for help. */
  readonly issues: readonly string[];
}

/**
 * Prints the issues of a command line and the text of `--help`, or that text alone where help was requested.
 * @returns the exit code: 2, or 0 for help
 */
export function printUsage({ issues }: Usage, text: string): 0 | 2 {
  const isHelp = issues.length === 0;
  (isHelp ? process.stdout : process.stderr).write([...issues, text].join('\n'));
  return isHelp ? 0 : 2;
}

/** The option `--help`, for {@link parseOptions}. */
export const HELP = { type: 'boolean', short: 'h', default: false } as const;

/** Reads a command line by the options that it may have. */
export function parseOptions<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
): ReturnType<typeof parseArgs<{ args: string[]; options: Options }>>['values'] | Usage {
  try {
    const { values } = parseArgs({ args: [...args], options });
    return 'help' in values && values.help === true ? { issues: [] } : values;
  } catch (error) {
    return { issues: [messageOf(error)] };
  }
}
