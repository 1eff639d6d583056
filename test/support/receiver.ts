import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { issuesOfWebhook } from './described-webhook.ts';

/** A webhook as it came. */
export interface ReceivedWebhook {
  readonly path: string;
  /** Names and values in the order and case of the wire. */
  readonly rawHeaders: readonly (readonly [name: string, value: string])[];
  /** The exact bytes. */
  readonly body: Buffer;
  readonly text: string;
  /** When it was there whole. */
  readonly receivedAt: Date;
  /** The answer that this receiver gave it. */
  readonly status: number;
}

/** Webhooks that a message shows. */
const MOST_SHOWN = 10;

type Answer = (webhook: Omit<ReceivedWebhook, 'status'>, nth: number) => number | Promise<number>;

/** A partner's HTTPS server. */
export interface Receiver {
  /** Such as `https://127.0.0.1:9443`. */
  readonly url: string;
  /** Everything that came so far, oldest first; answered ones and those whose answer is still held back. */
  readonly webhooks: readonly ReceivedWebhook[];
  /** Answers so from now on; 204 by default. `nth` counts the webhooks of a delivery id, from 1. */
  answer(how: Answer): void;
  /** @throws when a webhook that came is not as the catalogue describes its event */
  close(): Promise<void>;
}

export async function startReceiver(certificate: { key: string; cert: string }): Promise<Receiver> {
  const webhooks: ReceivedWebhook[] = [];
  const issues = new Set<string>();
  /** By the id of the delivery. */
  const attempts = new Map<string | undefined, number>();
  let answer: Answer = () => 204;
  const server = createServer(certificate, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const received = {
        path: String(request.url),
        rawHeaders: pairs(request.rawHeaders),
        body,
        text: body.toString(),
        receivedAt: new Date(),
      };
      const entry = { ...received, status: 0 };
      webhooks.push(entry);
      for (const issue of issuesOfWebhook(entry.text)) {
        issues.add(`${issue}: ${entry.text}`);
      }
      const id = headerOf(entry, 'X-Webhook-Delivery-Id');
      const nth = (attempts.get(id) ?? 0) + 1;
      attempts.set(id, nth);
      Promise.resolve(answer(received, nth)).then(
        (status) => {
          entry.status = status;
          response.writeHead(status).end();
        },
        (error: unknown) => response.destroy(error as Error),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    webhooks,
    answer: (how) => {
      answer = how;
    },
    close: async () => {
      await close(server);
      if (issues.size > 0) {
        const shown = [...issues].slice(0, MOST_SHOWN).join('\n');
        throw new Error(`${issues.size} webhooks are not as the catalogue describes them:\n${shown}`);
      }
    },
  };
}

/** The header with exactly this name, its case included. */
export function headerOf(
  { rawHeaders }: Pick<ReceivedWebhook, 'rawHeaders'>,
  name: string,
): string | undefined {
  return rawHeaders.find(([given]) => given === name)?.[1];
}

/**
 * `X-Webhook-Signature` for a body, by document 2's own words and by nothing of the product: lower-case hexadecimal
 * HMAC-SHA256 over `<t>.<rawBody>`.
 */
export function signatureOf(secret: string, t: string | number, rawBody: Buffer | string): string {
  const v1 = createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest('hex');
  return `t=${t},v1=${v1}`;
}

/** Whether a webhook carries the signature of its raw bytes, its `t` within 300 s of its arrival. */
export function hasGoodSignature(webhook: ReceivedWebhook, secret: string): boolean {
  const header = headerOf(webhook, 'X-Webhook-Signature');
  const t = /^t=(\d+),v1=[0-9a-f]{64}$/.exec(header ?? '')?.[1];
  return (
    t !== undefined &&
    Math.abs(webhook.receivedAt.getTime() / 1000 - Number(t)) <= 300 &&
    header === signatureOf(secret, t, webhook.body)
  );
}

function pairs(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, String(flat[index + 1])]] : [],
  );
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
