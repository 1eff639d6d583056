import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { ATOMIC_PATH, atomicCallBody } from '../../gateway/cli/verify/load/requests.ts';
import { KEYS } from '../support/seed.ts';
import { createTestCertificate } from '../support/test-certificate.ts';
import type { Started } from './offered-load.ts';

/** The maker of a call. */
interface Caller {
  /** Default: acme's key. */
  readonly key?: string;
  /** The requester by number; default: a new one. */
  readonly requester?: number;
}

/** A webhook of a money request. */
export interface MoneyRequestWebhook {
  readonly path: string;
  readonly deliveryId: string;
  readonly referenceId: string;
}

/** A partner that makes atomic calls and receives their outcomes. */
export interface Partner {
  /** Where it receives them, such as `https://127.0.0.1:9443`. */
  readonly url: string;
  /** Settings by which a product trusts its server. */
  readonly env: Readonly<Record<string, string>>;
  /** Makes a call to the product at `baseUrl`; done when the outcome `Accepted` is there. */
  call(baseUrl: string, by?: Caller): Started;
  /** Outcomes that have come; more than calls when one came twice. */
  outcomes(): number;
  close(): Promise<void>;
}

const ACCOUNT = '032180000118359719';
const CONNECTIONS = 100;

/** @param onWebhook receives what is no outcome, and is answered when its promise resolves */
export async function startPartner(
  onWebhook: (webhook: MoneyRequestWebhook) => Promise<void> | void = () => undefined,
): Promise<Partner> {
  const certificate = await createTestCertificate();
  const waiting = new Map<string, { resolve(): void; reject(error: Error): void }>();
  let outcomes = 0;
  const server = createServer(certificate, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk as Buffer);
    }
    const { correlationId, status, data } = JSON.parse(Buffer.concat(chunks).toString());
    if (correlationId === undefined) {
      const deliveryId = String(request.headers['x-webhook-delivery-id']);
      await onWebhook({ path: String(request.url), deliveryId, referenceId: data?.referenceId });
      response.writeHead(204).end();
      return;
    }
    outcomes += 1;
    response.writeHead(204).end();
    const call = waiting.get(correlationId);
    waiting.delete(correlationId);
    if (status === 'Accepted') {
      call?.resolve();
    } else {
      call?.reject(new Error(`${correlationId} came to the outcome ${status}`));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const pools = new Map<string, Pool>();
  const poolTo = (baseUrl: string) => {
    const pool = pools.get(baseUrl) ?? new Pool(baseUrl, { connections: CONNECTIONS });
    pools.set(baseUrl, pool);
    return pool;
  };
  let calls = 0;
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    env: { WEBHOOK_CA_FILE: certificate.caFile, WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' },
    call: (baseUrl, { key = KEYS.acme, requester } = {}) => {
      calls += 1;
      const correlationId = `corr-${String(calls).padStart(8, '0')}`;
      const done = new Promise<void>((resolve, reject) => waiting.set(correlationId, { resolve, reject }));
      // A call that is refused waits for no outcome; the code that awaits `accepted` gets the refusal.
      done.catch(() => undefined);
      const body = atomicCallBody({ correlationId, requester: requester ?? calls, account: ACCOUNT });
      return { accepted: post(poolTo(baseUrl), key, body), done };
    },
    outcomes: () => outcomes,
    close: async () => {
      for (const pool of pools.values()) {
        await pool.close();
      }
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      certificate.remove();
    },
  };
}

async function post(pool: Pool, key: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json', api_key: key };
  const answer = await pool.request({
    method: 'POST',
    path: ATOMIC_PATH,
    headers,
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) {
    throw new Error(`A call was answered ${answer.statusCode}: ${text}`);
  }
}
