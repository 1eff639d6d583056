import { Agent, type RequestOptions, request } from 'node:https';
import type { Exchange } from './http.ts';
import { readResponse } from './http.ts';

/** A client's certificate and the authorities that it trusts: PEM, or PKCS#12 with its passphrase. */
export type TlsClient = Pick<
  RequestOptions,
  'ca' | 'cert' | 'key' | 'pfx' | 'passphrase' | 'maxVersion' | 'minVersion' | 'ciphers'
>;

/** Sends requests to a port of this machine by TLS, each over a connection of its own. Rejects when there is no answer. */
export function exchangeByTls(port: number, client: TlsClient): Exchange {
  return ({ method, path, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const agent = new Agent({ keepAlive: false });
      const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
      const options = { host: '127.0.0.1', port, method, path, headers: { ...length, ...headers }, agent };
      request({ ...options, ...client }, (response) => {
        readResponse(response).then(resolve, reject);
      })
        .on('error', reject)
        .end(body);
    });
}
