import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Subgraphs } from '../../gateway/app/subgraphs.ts';
import type { Exchange, RawResponse } from './http.ts';
import { queryGraph } from './money-requests.ts';
import { until } from './until.ts';

/** Origin of the console's page in tests: that of `PUBLIC_URL`. */
export const CONSOLE_ORIGIN = 'https://remit.example';
/** Headers that the console's page sends. */
export const PAGE = { origin: CONSOLE_ORIGIN, 'x-remitgraph-console': '1' };
export const JSON_PAGE = { ...PAGE, 'content-type': 'application/json' };

/** Headers of a page of the host that a request names, where the server has no `PUBLIC_URL`. */
export const LOCAL_PAGE = {
  host: 'console.test',
  origin: 'http://console.test',
  'x-remitgraph-console': '1',
  'content-type': 'application/json',
};

const CREATE = `mutation ($input: CreateConsoleLinkInput!) {
  createConsoleLink(input: $input) { url consoleSession { id } userErrors { code path } }
}`;
const LINK = /\/console\/#code=(raas_code_[\w-]{43})$/;

interface Made {
  readonly createConsoleLink: {
    readonly url: string | null;
    readonly consoleSession: { readonly id: string } | null;
    readonly userErrors: readonly object[];
  };
}

/** Makes a key of acme with all scopes of partners. */
export async function makeConsoleKey({ apiKeys }: Pick<Subgraphs, 'apiKeys'>) {
  const made = await apiKeys.create({
    accountId: 'acme/sandbox' as const,
    scopes: ['partner', 'partner_full', 'partner_admin'],
    label: 'console',
  });
  return { key: made.key, keyId: made.apiKey.keyId };
}

/** Makes a link with a key. */
export async function makeLink(
  exchange: Exchange,
  key: string,
  input: Readonly<Record<string, unknown>> = {},
) {
  const { data, errors } = await queryGraph<Made>(exchange, CREATE, { input }, key);
  const { url, consoleSession } = data?.createConsoleLink ?? {};
  const [, code = ''] = LINK.exec(url ?? '') ?? [];
  return { code, id: String(consoleSession?.id), payload: data?.createConsoleLink, errors };
}

/** Sends the code of a link as the console's page does. */
export function exchangeCode(
  exchange: Exchange,
  code: string,
  headers: Record<string, string> = JSON_PAGE,
): Promise<RawResponse> {
  return exchange({ method: 'POST', path: '/console/session', headers, body: JSON.stringify({ code }) });
}

/** The cookie that an answer sets, as a browser sends it back. */
export function cookieOf({ headers }: RawResponse): string {
  return String(headers['set-cookie']).split(';')[0] ?? '';
}

/** Signs in by a link that a key makes. */
export async function signIn(
  exchange: Exchange,
  key: string,
  access: 'READ' | 'SUPPORT' | 'OPERATE' | 'ADMIN' = 'READ',
) {
  const { code, id } = await makeLink(exchange, key, { access, label: 'Ana' });
  return { cookie: cookieOf(await exchangeCode(exchange, code)), id };
}

/** An event stream that the console's page has open. */
export async function openPageStream(url: string, cookie: string, query: string) {
  const headers = { ...JSON_PAGE, cookie, accept: 'text/event-stream' };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(`${url}/graphql`, { method: 'POST', headers, agent: false }, resolve)
      .on('error', reject)
      .end(JSON.stringify({ query }));
  });
  let text = '';
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const ended = new Promise<void>((resolve) => response.once('close', resolve));
  await until('the beginning', () => text !== '');
  return { text: () => text, ended, response };
}
