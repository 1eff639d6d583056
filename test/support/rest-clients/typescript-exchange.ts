import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { parseExact, unquoteAmounts } from '../../../gateway/clients/typescript/exact-amounts.ts';
import type * as rest from '../../../gateway/clients/typescript/index.ts';
import type { RawResponse } from '../http.ts';
import type { DescribedCall } from './described-call.ts';
import type { GeneratedClients } from './generate.ts';

/** Makes a call through a generated client. @returns the answer as it came; undefined if the client cannot make it */
export type ClientExchange = (call: DescribedCall) => Promise<RawResponse | undefined>;

type Sdk = Readonly<
  Record<string, (options: object) => Promise<{ readonly data: unknown }>> & {
    createClient(config: rest.RestClientConfig): object;
  }
>;

const PACKAGES = ['request-money', 'remittance', 'partner'] as const;

/** Compiles the generated clients, and makes calls through them and the built `remitgraph/rest`. */
export async function typescriptExchange(generated: GeneratedClients, url: string): Promise<ClientExchange> {
  const sdks = new Map<string, Sdk>();
  for (const name of PACKAGES) {
    const source = join(generated.folder, 'src', 'remitgraph', name);
    const outfile = join(generated.folder, `${name}.mjs`);
    const contents = `export * from '${source}/index.js'; export { createClient } from '${source}/client/index.js';`;
    const stdin = { contents, resolveDir: generated.folder, loader: 'ts' } as const;
    await build({ stdin, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' });
    const sdk = (await import(pathToFileURL(outfile).href)) as Sdk;
    // By names in lower case: generators spell operationId in their own way.
    const calls = Object.entries(sdk).map(([call, make]) => [call.toLowerCase(), make]);
    sdks.set(name, { ...sdk, ...Object.fromEntries(calls) });
  }
  // Not a literal, because the types of dist/ do not exist before the build.
  const load = async (name: string): Promise<object> => import(name);
  const layer = (await load('remitgraph/rest')) as typeof rest;
  return (call) => makeCall(layer, sdks.get(call.package) as Sdk, url, call);
}

async function makeCall(
  { restConfig, RestError }: typeof rest,
  sdk: Sdk,
  url: string,
  call: DescribedCall,
): Promise<RawResponse | undefined> {
  const received: RawResponse[] = [];
  const config = restConfig({
    url,
    apiKey: call.key,
    attempts: 1,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      received.push(await copyOf(response.clone()));
      return response;
    },
  });
  const { path, query, idempotencyKey, body, operation } = call;
  const options = {
    client: sdk.createClient(config),
    path,
    query,
    ...(idempotencyKey !== undefined && { headers: { 'Idempotency-Key': idempotencyKey } }),
    ...(body !== undefined && { body: parseExact(body) }),
  };
  const outcome = await sdk[operation.toLowerCase()]?.(options).catch((error: unknown) => error);
  if (outcome instanceof RangeError) {
    // A body of thousands of levels is too deep for the client's JSON.stringify.
    return undefined;
  }
  const [raw] = received;
  if (raw === undefined) {
    throw new Error(`${operation} has made no call`, { cause: outcome });
  }
  const shown = outcome instanceof RestError ? readError(outcome) : readData(outcome);
  const expected = raw.status < 300 ? textOf(raw) : JSON.stringify([raw.status, JSON.parse(raw.text)]);
  if (shown !== expected) {
    throw new Error(`${operation} gives ${shown} for ${raw.status} ${raw.text}`, { cause: outcome });
  }
  return raw;
}

/** The data of a client, as the server has sent it. */
function readData(outcome: unknown): string {
  const data = typeof outcome === 'object' && outcome !== null && 'data' in outcome ? outcome.data : outcome;
  const text = JSON.stringify(data) ?? String(data);
  return typeof data === 'string' ? text : unquoteAmounts(text);
}

/** JSON as it came; a file as a JSON text. */
function textOf({ headers, text }: RawResponse): string {
  return String(headers['content-type']).startsWith('text/csv') ? JSON.stringify(text) : text;
}

/** The status and body of an error, which has the body's code and faults. */
function readError({ status, body, code, issues }: InstanceType<typeof rest.RestError>): string {
  const text = JSON.stringify(body);
  const [, documented = code] = /"code":"(\w+)"/.exec(text) ?? [];
  const faults = text.split('{"path":').length - 1;
  const isWhole = code === documented && issues.length === faults;
  return isWhole ? JSON.stringify([status, body]) : `an error with the code ${code}, ${issues.length} faults`;
}

async function copyOf(response: Response): Promise<RawResponse> {
  const body = Buffer.from(await response.arrayBuffer());
  const { status, headers } = response;
  return { status, headers: Object.fromEntries(headers), body, text: body.toString() };
}
