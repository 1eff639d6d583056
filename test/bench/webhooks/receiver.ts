/**
 * The partners' server of `npm run bench:webhooks`, in a process of its own. The first part of a path says how it answers:
 * `/fast`, `/slow` (after 50 ms), `/hang` (never) and `/back` (503 until a call opens it, then 204 after 10 ms). The path
 * behind it makes endpoints of their own. Its parent talks to it by `receiver-words.ts`.
 */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Answered, ReceiverOrder, ReceiverWord } from './receiver-words.ts';

const DELAYS_MS: Readonly<Record<string, number>> = { fast: 0, slow: 50, back: 10 };
const { key, cert } = JSON.parse(process.env.RECEIVER ?? '') as { key: string; cert: string };
let isOpen = false;
let answered: Answered[] = [];
let accepted = 0;
const open = new Map<string, number>();
const most = new Map<string, number>();

const server = createServer({ key, cert }, (request, response) => {
  const path = String(request.url);
  const kind = path.split('/')[1] ?? '';
  const id = String(request.headers['x-webhook-delivery-id']);
  begin(kind);
  response.once('close', () => open.set(kind, (open.get(kind) ?? 0) - 1));
  request.resume();
  request.once('end', () => {
    if (kind === 'hang') {
      return;
    }
    const status = kind === 'back' && !isOpen ? 503 : 204;
    setTimeout(() => {
      response.writeHead(status).end();
      accepted += status === 204 ? 1 : 0;
      answered.push({ id, path, status, at: performance.timeOrigin + performance.now() });
    }, DELAYS_MS[kind]);
  });
});

function begin(kind: string): void {
  const count = (open.get(kind) ?? 0) + 1;
  open.set(kind, count);
  most.set(kind, Math.max(most.get(kind) ?? 0, count));
}

function send(word: ReceiverWord): void {
  process.send?.(word);
}

process.on('message', (order: ReceiverOrder) => {
  if (order.kind === 'open') {
    isOpen = true;
    most.clear();
  } else if (order.kind === 'count') {
    send({ kind: 'count', accepted });
  } else {
    send({ kind: 'taken', answered, most: Object.fromEntries(most) });
    answered = [];
    accepted = 0;
    isOpen = false;
    most.clear();
  }
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => send({ kind: 'ready', port: (server.address() as AddressInfo).port }));
