import { commandLine, HELP, parseOptions, type Usage } from '../../subgraphs/kernel/command-line.ts';
import { parseUrl } from '../../subgraphs/kernel/parse-url.ts';
import type { HttpSubscriptions } from '../engine/index.ts';

/** The options of the command line. */
export interface StandaloneOptions {
  /** Path of the supergraph's file. */
  readonly supergraph: string;
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** For one fetch from a subgraph. */
  readonly timeoutMs: number;
  /** For one query or mutation. */
  readonly operationTimeoutMs: number;
  /** Folder of documents that clients may run by hash without sending them first. Default: none. */
  readonly documents?: string;
  /** Names in lower case. */
  readonly forwardHeaders: readonly string[];
  /** How events are requested from subgraphs, by name; the rest as `defaultSubscriptions` says. */
  readonly subscriptions: Readonly<Record<string, HttpSubscriptions>>;
  readonly defaultSubscriptions: HttpSubscriptions;
  /** Longest time without a byte on an event stream of a subgraph. */
  readonly silenceMs: number;
}

/** The text of `--help`. */
export const USAGE = `${commandLine('gateway', '--supergraph FILE [options]')}   serves a Federation 2 supergraph over HTTP
${commandLine('gateway', 'plan --supergraph FILE --query FILE')}   prints the plan of a document

  --supergraph FILE        the supergraph; its @join__graph URLs say where the subgraphs are
  --port N                 port to listen on, 0 for a free one           (default 4000)
  --host ADDRESS           address to listen on                          (default 127.0.0.1)
  --timeout MS             for one request to a subgraph                 (default 30000)
  --operation-timeout MS   for one query or mutation                     (default 60000)
  --documents DIR          folder of *.graphql files that clients may run by hash (default: those they sent before)
  --forward-header NAME    a client's header that subgraphs are to see   (repeatable)
  --subscriptions HOW      websocket or sse, for all subgraphs           (default websocket)
  --subscriptions NAME=HOW the same for one subgraph; HOW may also be a ws://, wss://, http:// or https:// URL
                           (repeatable)
  --subscription-silence MS  longest silence of a subgraph's event stream (default 30000)

Examples:
  ${commandLine('gateway', '--supergraph supergraph.graphql --port 4000')}
  ${commandLine('gateway', '--supergraph supergraph.graphql --forward-header authorization --subscriptions sse')}

Exit codes: 0 stopped by a signal; 1 an error; 2 a wrong command line.
`;

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
/** The gateway writes these itself. */
const OWN_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
]);

function readNumber(
  name: string,
  text: string,
  [least, most]: readonly [number, number],
  issues: string[],
): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) {
    issues.push(`--${name} must be a whole number from ${least} to ${most}, not "${text}".`);
  }
  return value;
}

function readHow(text: string): HttpSubscriptions | null {
  if (text === 'websocket' || text === 'sse') {
    return { protocol: text };
  }
  const scheme = parseUrl(text)?.protocol;
  if (scheme === 'ws:' || scheme === 'wss:') {
    return { protocol: 'websocket', url: text };
  }
  return scheme === 'http:' || scheme === 'https:' ? { protocol: 'sse', url: text } : null;
}

function readSubscriptions(
  values: readonly string[],
  issues: string[],
): Pick<StandaloneOptions, 'subscriptions' | 'defaultSubscriptions'> {
  const subscriptions: Record<string, HttpSubscriptions> = {};
  let defaultSubscriptions: HttpSubscriptions = { protocol: 'websocket' };
  for (const value of values) {
    const [, name, text = ''] = /^(?:([^=:/]+)=)?(.*)$/s.exec(value) ?? [];
    const how = readHow(text);
    if (how === null || (name === undefined && how.url !== undefined)) {
      issues.push(
        `--subscriptions must be websocket, sse, NAME=websocket, NAME=sse or NAME=URL, not "${value}".`,
      );
    } else if (name === undefined) {
      defaultSubscriptions = how;
    } else {
      subscriptions[name] = how;
    }
  }
  return { subscriptions, defaultSubscriptions };
}

function readHeaders(values: readonly string[], issues: string[]): string[] {
  return values.map((value) => {
    const name = value.toLowerCase();
    if (!HEADER_NAME.test(name)) {
      issues.push(`--forward-header must be the name of a header, not "${value}".`);
    } else if (OWN_HEADERS.has(name)) {
      issues.push(`--forward-header cannot be ${name}: the gateway writes that header itself.`);
    }
    return name;
  });
}

/** Reads the command line and reports all issues at once. */
export function readArguments(args: readonly string[]): StandaloneOptions | Usage {
  const values = parseOptions(args, {
    supergraph: { type: 'string' },
    port: { type: 'string', default: '4000' },
    host: { type: 'string', default: '127.0.0.1' },
    timeout: { type: 'string', default: '30000' },
    'operation-timeout': { type: 'string', default: '60000' },
    documents: { type: 'string' },
    'forward-header': { type: 'string', multiple: true, default: [] },
    subscriptions: { type: 'string', multiple: true, default: [] },
    'subscription-silence': { type: 'string', default: '30000' },
    help: HELP,
  });
  if ('issues' in values) {
    return values;
  }
  const issues: string[] = [];
  const supergraph = values.supergraph ?? '';
  if (supergraph === '') {
    issues.push('--supergraph is missing: it names the file of the supergraph to serve.');
  }
  if (values.host === '') {
    issues.push('--host must not be empty.');
  }
  if (values.documents === '') {
    issues.push('--documents must not be empty.');
  }
  const options: StandaloneOptions = {
    supergraph,
    host: values.host,
    port: readNumber('port', values.port, [0, 65_535], issues),
    timeoutMs: readNumber('timeout', values.timeout, [1, 600_000], issues),
    operationTimeoutMs: readNumber('operation-timeout', values['operation-timeout'], [1, 600_000], issues),
    ...(values.documents === undefined ? {} : { documents: values.documents }),
    forwardHeaders: readHeaders(values['forward-header'], issues),
    ...readSubscriptions(values.subscriptions, issues),
    silenceMs: readNumber('subscription-silence', values['subscription-silence'], [1, 600_000], issues),
  };
  return issues.length > 0 ? { issues } : options;
}
