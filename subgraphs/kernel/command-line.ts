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
