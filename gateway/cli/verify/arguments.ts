import { commandLine, HELP, parseOptions, type Usage } from '../../../subgraphs/kernel/command-line.ts';

/** The options of the command line. */
export interface VerifyOptions {
  /** Of the database server. */
  readonly uri: string;
  /** How long callers load the product's server. */
  readonly seconds: number;
  /** Callers at once. */
  readonly callers: number;
  /** Whether the primary steps down during a second load. */
  readonly failover: boolean;
  /** Whether the results are printed as JSON. */
  readonly json: boolean;
}

/** The text of `--help`. */
export const USAGE = `${commandLine('verify', '--uri URI [options]')}   proves that a MongoDB does all that the product relies on

  --uri URI       the server or cluster; or set MONGODB_URI, which other users of the machine do not see
  --seconds N     how long callers load a server of the product              (default: 60)
  --callers N     callers at once                                            (default: 16)
  --failover      load it again while the primary steps down several times: on a replica set that no one else uses
  --json          print the results as JSON

It works in databases of its own, remitgraph_verify_…, which it drops at the end. Their names are
new each time, so the user of the URI needs the roles readWriteAnyDatabase and dbAdminAnyDatabase; --failover needs the action
replSetStateChange (role clusterManager) too.

Examples:
  MONGODB_URI=mongodb://… ${commandLine('verify')}
  ${commandLine('verify', '--uri mongodb://… --seconds 600 --callers 50 --json')} | jq '.[] | select(.result == "different")'

Exit codes: 0 no difference; 1 a difference, or an error; 2 a wrong command line.
`;

/**
 * Reads the command line and reports all issues at once.
 * @param fromEnvironment `MONGODB_URI`, if it is set
 */
export function readArguments(
  args: readonly string[],
  fromEnvironment: string | undefined,
): VerifyOptions | Usage {
  const values = parseOptions(args, {
    uri: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    callers: { type: 'string', default: '16' },
    failover: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: HELP,
  });
  if ('issues' in values) {
    return values;
  }
  const uri = values.uri ?? fromEnvironment ?? '';
  const [seconds, callers] = [Number(values.seconds), Number(values.callers)];
  const issues = [
    ...(uri === ''
      ? ['--uri is missing: it names the server or cluster, such as mongodb://host:27017.']
      : []),
    ...(uri !== '' && !/^mongodb(\+srv)?:\/\//.test(uri)
      ? ['--uri must begin with mongodb:// or mongodb+srv://.']
      : []),
    ...wholeNumber('--seconds', seconds, { least: 1, most: 86_400 }),
    // With fewer, a short load would not make each kind of call.
    ...wholeNumber('--callers', callers, { least: 6, most: 500 }),
  ];
  const { failover, json } = values;
  return issues.length > 0 ? { issues } : { uri, seconds, callers, failover, json };
}

function wholeNumber(
  option: string,
  value: number,
  { least, most }: { readonly least: number; readonly most: number },
): string[] {
  return Number.isInteger(value) && value >= least && value <= most
    ? []
    : [`${option} must be a whole number from ${least} to ${most.toLocaleString('en')}.`];
}
