import { parseArgs } from 'node:util';

/** The request that a `curl` command makes. */
interface CurlRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const OPTIONS = {
  header: { type: 'string', short: 'H', multiple: true },
  data: { type: 'string', short: 'd' },
  request: { type: 'string', short: 'X' },
  // These change nothing of the request.
  'no-buffer': { type: 'boolean', short: 'N' },
  fail: { type: 'boolean', short: 'f' },
  'remote-name': { type: 'boolean', short: 'O' },
} as const;

/**
 * Reads the words after `curl` in an example. @throws Error for an option that examples do not use, and for another server
 */
export function curlRequest(words: readonly string[]): CurlRequest {
  const { values, positionals } = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  const [, path] = /^localhost:4000(\/.*)$/.exec(positionals.join(' ')) ?? [];
  if (path === undefined) {
    throw new Error(`Examples call localhost:4000, not ${positionals.join(' ')}`);
  }
  const { data: body, request = body === undefined ? 'GET' : 'POST', header = [] } = values;
  const headers = Object.fromEntries(header.map((line) => line.split(/: ?(.*)/s, 2)));
  return { method: request, path, headers, ...(body !== undefined && { body }) };
}

/** Makes the request at a server. */
export function runCurl(request: CurlRequest, url: string): Promise<Response> {
  const { method, path, headers, body } = request;
  return fetch(new URL(path, url), { method, headers, ...(body !== undefined && { body }) });
}
