import { isNode, recordOf } from '../../schema/breaking/nodes.ts';
import type { RawRequest, RawResponse } from '../support/http.ts';

/** The headers that an answer of a documented call may have: another one would be a change of the contract. */
const ALLOWED: ReadonlySet<string> = new Set([
  // Of HTTP itself.
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive'],
  ...['cache-control', 'retry-after', 'x-request-id'],
  ...['etag', 'idempotent-replayed', 'ratelimit', 'ratelimit-policy', 'x-error-code'],
]);

const POLICY = /^"[a-z-]+";q=\d+;w=60(, "[a-z-]+";q=\d+;w=60)*$/;
const LEFT = /^"[a-z-]+";r=\d+;t=\d{1,2}(, "[a-z-]+";r=\d+;t=\d{1,2})*$/;

/** The differences between the headers of an answer and the rules that hold for every documented call. */
export function checkHeaders(request: RawRequest, response: RawResponse): string[] {
  return [
    ...Object.keys(response.headers)
      .filter((name) => !(ALLOWED.has(name) || headersOfFile(response).includes(name)))
      .map((name) => `no document has the header ${name}`),
    ...checkCode(response),
    ...checkTag(request, response),
    ...checkLimits(request, response),
    ...checkReplay(request, response),
  ];
}

/** Browsers must not guess the type of a file, and must save a CSV file. */
function headersOfFile({ headers }: RawResponse): string[] {
  const [type] = String(headers['content-type']).split(/[/;]/, 1);
  const names: Readonly<Record<string, string[]>> = {
    image: ['x-content-type-options'],
    text: ['x-content-type-options', 'content-disposition'],
  };
  return names[String(type)] ?? [];
}

/** An error has its code in its body or, where the document has no place for it there, in `X-Error-Code`. */
function checkCode({ status, headers, text }: RawResponse): string[] {
  const inHeader = headers['x-error-code'];
  if (status < 400) {
    return inHeader === undefined ? [] : ['an answer that is no error has x-error-code'];
  }
  const body = recordOf(JSON.parse(text));
  const inBody = body.code ?? (isNode(body.error) ? body.error.code : undefined);
  const isWell = inBody === undefined ? /^[A-Z_]+$/.test(String(inHeader)) : inHeader === undefined;
  return isWell ? [] : [`the code of the error is ${inBody} in the body, and ${inHeader} in x-error-code`];
}

function checkTag({ method }: Pick<RawRequest, 'method'>, { status, headers }: RawResponse): string[] {
  const { etag } = headers;
  const isWell = method === 'GET' && status === 200 ? /^"[\w-]{22}"$/.test(String(etag)) : etag === undefined;
  return isWell ? [] : [`the etag is ${etag}`];
}

/** Only a create with an `Idempotency-Key` can be a replay. */
function checkReplay(
  { method, path, headers = {} }: RawRequest,
  { status, headers: given }: RawResponse,
): string[] {
  const { 'idempotent-replayed': mark } = given;
  const hasKey = Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');
  const mayReplay = method === 'POST' && path === '/v1/request-money' && hasKey && status === 201;
  return mark === undefined || (mark === 'true' && mayReplay) ? [] : [`idempotent-replayed is ${mark}`];
}

/** Calls of partners have limits; calls of the platform's own back end, and calls without a valid key, have none. */
function checkLimits({ path }: Pick<RawRequest, 'path'>, { status, headers }: RawResponse): string[] {
  const { ratelimit = '', 'ratelimit-policy': policy = '' } = headers;
  const isLimited = status < 400 && !path.startsWith('/v1/internal/');
  const isWell = policy === '' && ratelimit === '' ? !isLimited : POLICY.test(policy) && LEFT.test(ratelimit);
  return isWell ? [] : [`the limits are ${policy}, of which are left ${ratelimit}`];
}
