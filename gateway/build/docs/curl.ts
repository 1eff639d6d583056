import { parseArgs } from 'node:util';

/** The request that a `curl` command makes. */
export interface CurlRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const OPTIONS = {
  header: { type: 'string', short: 'H', multiple: true },
  data: { type: 'string', short: 'd', multiple: true },
  request: { type: 'string', short: 'X' },
  // These change nothing of the request.
  'no-buffer': { type: 'boolean', short: 'N' },
  fail: { type: 'boolean', short: 'f' },
  include: { type: 'boolean', short: 'i' },
  'remote-name': { type: 'boolean', short: 'O' },
  silent: { type: 'boolean', short: 's' },
} as const;

/**
 * Reads the words after `curl` in an example.
 * @throws Error for another server, and for what examples do not use: other options, and a header or body that `curl` would change
 */
export function curlRequest(words: readonly string[]): CurlRequest {
  const { values, positionals } = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  // curl takes brackets and braces in an address for patterns.
  const [, path] = /^localhost:4000(\/[^\s[\]{}#]*)$/.exec(positionals.join(' ')) ?? [];
  if (path === undefined) {
    throw new Error(`Examples call localhost:4000, not ${positionals.join(' ')}`);
  }
  const { data: [body, ...more] = [], header: lines = [] } = values;
  const { request: method = body === undefined ? 'GET' : 'POST' } = values;
  const headers = Object.fromEntries(lines.map(readHeader));
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  if (new Set(names).size < lines.length) {
    throw new Error(`A header comes twice: ${lines.join(', ')}`);
  }
  if (body === undefined) {
    return { method, path, headers };
  }
  if (more.length > 0 || body.startsWith('@') || method === 'GET' || !names.includes('content-type')) {
    throw new Error(
      'The example of a call has one body, which is no file and has a content-type, and not with GET',
    );
  }
  return { method, path, headers, body };
}

function readHeader(line: string): [name: string, value: string] {
  const [, name, value] = /^([\w-]+): ?(\S.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) {
    throw new Error(`A header that is not read here: ${line}`);
  }
  return [name, value];
}
