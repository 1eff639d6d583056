import type { CurlRequest } from '../../gateway/build/docs/curl.ts';

/** Makes the request at a server. */
export function runCurl(request: CurlRequest, url: string): Promise<Response> {
  const { method, path, headers, body } = request;
  return fetch(new URL(path, url), { method, headers, ...(body !== undefined && { body }) });
}
