import { commandLine, HELP, parseOptions, type Usage } from '../../../subgraphs/kernel/command-line.ts';
import { DEFAULT_URL, readServerUrl, serverUrlIssue } from '../server-url.ts';

/** The options of the command line. */
interface WatchOptions {
  /** The partner's reference of the money request. */
  readonly reference: string;
  /** The partner to which the key must belong; undefined for any partner. */
  readonly tenant: string | undefined;
  /** Where the server is. */
  readonly url: URL;
  readonly key: string;
  /** Whether each status is printed as a line of JSON. */
  readonly json: boolean;
}

/** The text of `--help`. */
export const USAGE = `KEY=raas_… ${commandLine('watch', '--reference TEXT [options]')}   follows a money request in the terminal

  --reference TEXT    the partner's reference of the money request
  --tenant ID         fail unless KEY is a key of this partner
  --url URL           where the server is                          (default: ${DEFAULT_URL})
  --json              print each status as a line of JSON: {"at", "status", "statusDetails", "cursor"}

Examples:
  KEY=raas_… ${commandLine('watch', '--reference AB12cd34')}
  KEY=raas_… ${commandLine('watch', '--reference AB12cd34 --url https://api.example.com --json')} | jq -r .status

It ends with the money request. Exit codes: 0 completed; 3 rejected or cancelled; 1 an error; 2 a wrong command line.
`;

/**
 * Reads the command line and reports all issues at once.
 * @param key of the environment: other users of a machine see its command lines
 */
export function readArguments(args: readonly string[], key: string | undefined): WatchOptions | Usage {
  const values = parseOptions(args, {
    reference: { type: 'string', default: '' },
    tenant: { type: 'string' },
    url: { type: 'string', default: DEFAULT_URL },
    json: { type: 'boolean', default: false },
    help: HELP,
  });
  if ('issues' in values) {
    return values;
  }
  const { reference, tenant, url: given, json } = values;
  const url = readServerUrl(given);
  const issues = [
    ...(reference === '' ? ['--reference is missing: it names the money request.'] : []),
    ...(url === undefined ? [serverUrlIssue(given)] : []),
    ...(key === undefined || key === '' ? ['KEY is missing: set it to an API key of the partner.'] : []),
  ];
  return issues.length > 0 || !(url && key) ? { issues } : { reference, tenant, url, key, json };
}
