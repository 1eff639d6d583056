import { commandLine, HELP, parseOptions, type Usage } from '../../../subgraphs/kernel/command-line.ts';
import { DEFAULT_URL, readServerUrl, serverUrlIssue } from '../server-url.ts';

/** The options of the command line. */
interface McpOptions {
  /** Where the server of the product is. */
  readonly url: URL;
  readonly key: string;
  /** Whether receivers' answers are read. */
  readonly withAnswers: boolean;
  /** Where to serve MCP over HTTP; undefined for standard input and output. */
  readonly http: { readonly port: number; readonly token: string } | undefined;
}

/** The fewest characters of TOKEN. */
const SHORTEST_TOKEN = 16;

/** The text of `--help`. */
export const USAGE = `KEY=raas_… ${commandLine('mcp', '[options]')}   lets agents read a partner's payments over the Model Context Protocol

  --url URL     where the server is                                     (default: ${DEFAULT_URL})
  --answers     timelines of webhooks have the receivers' answers. They may hold contact data, so each reading is recorded
  --port N      serve HTTP at http://127.0.0.1:N/mcp, to this machine alone, for callers with the token TOKEN; 0 for a free port
                (default: standard input and output)

The tools find, verdict, timeline, totals and error_catalogue only read. KEY decides what they see: use a key with the scope partner alone.

Examples:
  KEY=raas_… ${commandLine('mcp')}
  KEY=raas_… TOKEN=… ${commandLine('mcp', '--url https://api.example.com --port 8765')}

It ends with its input, or by a signal. Exit codes: 0 done; 1 an error; 2 a wrong command line.
`;

/**
 * Reads the command line and reports all issues at once.
 * @param env where the secrets are: other users of a machine see its command lines
 */
export function readArguments(
  args: readonly string[],
  env: { readonly KEY?: string | undefined; readonly TOKEN?: string | undefined },
): McpOptions | Usage {
  const values = parseOptions(args, {
    url: { type: 'string', default: DEFAULT_URL },
    answers: { type: 'boolean', default: false },
    port: { type: 'string' },
    help: HELP,
  });
  if ('issues' in values) {
    return values;
  }
  const { KEY: key = '', TOKEN: token = '' } = env;
  const url = readServerUrl(values.url);
  const port = values.port === undefined ? undefined : readPort(values.port);
  const issues = [
    ...(url === undefined ? [serverUrlIssue(values.url)] : []),
    ...(key === '' ? ['KEY is missing: set it to an API key of the partner.'] : []),
    ...(values.port !== undefined && port === undefined
      ? [`--port takes a number from 0 to 65535, not "${values.port}".`]
      : []),
    ...(values.port !== undefined && token.length < SHORTEST_TOKEN
      ? [`--port needs TOKEN: set it to a secret of at least ${SHORTEST_TOKEN} characters.`]
      : []),
  ];
  return issues.length > 0 || url === undefined
    ? { issues }
    : { url, key, withAnswers: values.answers, http: port === undefined ? undefined : { port, token } };
}

function readPort(text: string): number | undefined {
  const port = Number(text);
  return /^\d{1,5}$/.test(text) && port <= 65_535 ? port : undefined;
}
