import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import {
  verifyWebhook,
  type WebhookHeaders,
  type WebhookIssue,
  WebhookVerificationError,
} from '../../../subgraphs/webhooks/verifiers/verify-webhook.ts';
import { portOf } from '../../http/port-of.ts';
import type { Identity } from '../certs/certificates.ts';
import { createInbox, type Inbox } from './inbox.ts';

/** An event as it arrived at the partner's server. */
export interface ReceivedWebhook {
  readonly event: string;
  readonly deliveryId: string;
  /** Value of `X-Webhook-Signature`. */
  readonly signature: string | undefined;
  /** Exactly as received: the signature covers these bytes. */
  readonly body: Buffer;
  /** Of `data`; absent in events that name none. */
  readonly referenceId: string | undefined;
  readonly status: string | undefined;
  /** The reason why the signature is invalid; absent if it is valid. */
  readonly issue: WebhookIssue | undefined;
}

/** A partner's server as document 2 describes it: HTTPS, verifies the raw bytes, answers 2xx. */
export interface Receiver {
  /** The partner's `webhookUrl`. */
  readonly url: string;
  /** The partner's `webhookSecret`. */
  readonly secret: string;
  readonly webhooks: Pick<Inbox<ReceivedWebhook>, 'collect'>;
  close(): Promise<void>;
}

interface ReceiverDeps {
  certificate: Identity;
  secret: string;
  /** Called with each event, after it was checked. */
  onWebhook(webhook: ReceivedWebhook): void;
}

const PATH = '/webhooks';

/** Starts a receiver on a free port of 127.0.0.1. It answers 401 to webhooks without a valid signature. */
export async function startReceiver({ certificate, secret, onWebhook }: ReceiverDeps): Promise<Receiver> {
  const webhooks = createInbox<ReceivedWebhook>();
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const webhook = read(request, await buffer(request), secret);
    webhooks.put(webhook);
    onWebhook(webhook);
    response.writeHead(webhook.issue === undefined ? 204 : 401).end();
  };
  const server = createServer(certificate, (request, response) => {
    receive(request, response).catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const port = portOf(server);
  return {
    url: `https://127.0.0.1:${port}${PATH}`,
    secret,
    webhooks,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function read({ headers }: IncomingMessage, body: Buffer, secret: string): ReceivedWebhook {
  const signature = headerOf(headers['x-webhook-signature']);
  const issue = issueOf(headers, body, secret);
  const data = issue === undefined ? dataOf(body) : {};
  return {
    event: headerOf(headers['x-webhook-event']) ?? '',
    deliveryId: headerOf(headers['x-webhook-delivery-id']) ?? '',
    signature,
    body,
    referenceId: data.referenceId,
    status: data.status,
    issue,
  };
}

/** The reason to reject a webhook; undefined for a valid signature. */
export function issueOf(headers: WebhookHeaders, body: Buffer, secret: string): WebhookIssue | undefined {
  try {
    verifyWebhook({ scheme: 'request_money', headers, body, secrets: secret });
    return undefined;
  } catch (error) {
    if (error instanceof WebhookVerificationError) {
      return error.code;
    }
    throw error;
  }
}

function headerOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function dataOf(body: Buffer): { referenceId?: string; status?: string } {
  return JSON.parse(body.toString()).data;
}
