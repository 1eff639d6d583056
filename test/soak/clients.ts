import { randomInt } from 'node:crypto';
import { addAbortListener } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { anyFilter, type Filter } from './changes.ts';

/** A client that follows the changes for as long as it takes, over however many connections. */
export interface LiveClient {
  readonly name: string;
  readonly filter: Filter;
  /** The texts of its events so far, over all connections. */
  readonly texts: readonly string[];
  /** How its connections have ended, each in a word or two. */
  readonly ends: readonly string[];
  stop(): Promise<void>;
}

export interface LiveClientOptions {
  readonly name: string;
  readonly transport: 'websocket' | 'sse';
  /** Whether it stops reading for a while again and again, and has large events. */
  readonly isSlow: boolean;
  readonly key: string;
  /** Where it begins. */
  readonly cursor: string;
  /** The gateways; each connection goes to the next one. */
  readonly urls: readonly string[];
}

interface Change {
  readonly cursor: string;
  readonly text: string;
}

/** One connection as its client knows it. */
interface Connection {
  readonly url: string;
  readonly after: string;
  readonly filter: Filter;
  readonly options: LiveClientOptions;
  readonly signal: AbortSignal;
  onChange(change: Change): void;
}

const ARGUMENTS = '$after: String, $operationId: ID, $userId: ID';
/** A slow client asks for so many copies of a text, so that its connection fills. */
const COPIES = 25;
const PAUSES_MS = { least: 300, most: 2_500 };
const COMES_BACK_MS = { least: 20, most: 400 };

const between = ({ least, most }: { least: number; most: number }) => randomInt(least, most);

/** The subscription of a client. */
export function documentFor({ isSlow }: LiveClientOptions): string {
  const copies = isSlow ? Array.from({ length: COPIES }, (_, n) => `copy${n}: statusDetails`).join(' ') : '';
  return `subscription (${ARGUMENTS}) {
    operationStatusChanged(after: $after, operationId: $operationId, userId: $userId) {
      cursor text: statusDetails ${copies}
    }
  }`;
}

/** Follows; when a connection ends, however it does, goes on behind its last event with another one. */
export function startClient(options: LiveClientOptions): LiveClient {
  const filter = anyFilter();
  const texts: string[] = [];
  const ends: string[] = [];
  const stopping = new AbortController();
  const { signal } = stopping;
  const connect = options.transport === 'websocket' ? followBySocket : followByEventStream;
  let cursor = options.cursor;
  const run = async () => {
    while (!signal.aborted) {
      const url = options.urls[ends.length % options.urls.length] ?? '';
      const onChange = (change: Change) => {
        cursor = change.cursor;
        texts.push(change.text);
      };
      ends.push(await connect({ url, after: cursor, filter, options, signal, onChange }));
      await sleep(between(COMES_BACK_MS), undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    name: options.name,
    filter,
    texts,
    ends,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Pauses and resumes what can be paused, until it is stopped. */
function readSlowly(target: { pause(): unknown; resume(): unknown }): () => void {
  let timer: NodeJS.Timeout | undefined;
  const take = (isPaused: boolean) => {
    timer = setTimeout(() => {
      if (isPaused) {
        target.resume();
      } else {
        target.pause();
      }
      take(!isPaused);
    }, between(PAUSES_MS));
  };
  take(false);
  return () => clearTimeout(timer);
}

function codesOf(
  errors: readonly { readonly extensions?: { readonly code?: unknown } | undefined }[],
): string {
  return errors.map(({ extensions }) => String(extensions?.code ?? 'error without a code')).join(' ');
}

function followBySocket({ url, after, filter, options, signal, onChange }: Connection): Promise<string> {
  return new Promise((resolve) => {
    let stopPauses: (() => void) | undefined;
    let opened: WebSocket | undefined;
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'X-API-Key': options.key },
      retryAttempts: 0,
      on: {
        opened: (socket) => {
          opened = socket as WebSocket;
          stopPauses = options.isSlow ? readSlowly(opened) : undefined;
        },
      },
    });
    const end = (how: string) => {
      stopPauses?.();
      listening[Symbol.dispose]();
      // A socket that is paused would not notice its close.
      opened?.terminate();
      resolve(how);
    };
    const listening = addAbortListener(signal, () => end('stopped'));
    client.subscribe<{ operationStatusChanged: Change }>(
      { query: documentFor(options), variables: { ...filter, after } },
      {
        next: ({ data, errors = [] }) => {
          if (data) {
            onChange(data.operationStatusChanged);
          } else {
            end(codesOf(errors));
          }
        },
        error: (error) => end(Array.isArray(error) ? codesOf(error) : closeOf(error)),
        complete: () => end('complete'),
      },
    );
  });
}

function closeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error
    ? `close ${String(error.code)}`
    : 'no connection';
}

/** The first connection and all others begin by `Last-Event-ID`. */
function followByEventStream({ url, after, filter, options, signal, onChange }: Connection): Promise<string> {
  return new Promise((resolve) => {
    let stopPauses: (() => void) | undefined;
    let how = 'broken off';
    const call = request(`${url}/graphql`, {
      method: 'POST',
      agent: false,
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        'x-api-key': options.key,
        'last-event-id': after,
      },
    });
    const end = (reason: string) => {
      stopPauses?.();
      listening[Symbol.dispose]();
      call.destroy();
      resolve(reason);
    };
    const listening = addAbortListener(signal, () => end('stopped'));
    call.on('error', () => end('no connection'));
    call.on('response', (response) => {
      stopPauses = options.isSlow ? readSlowly(response) : undefined;
      const read = createBlockReader((block) => {
        how = takeBlock(block, onChange) ?? how;
      });
      response.setEncoding('utf8').on('data', read);
      response.on('error', () => end(how));
      response.on('close', () => end(response.statusCode === 200 ? how : `status ${response.statusCode}`));
    });
    call.end(JSON.stringify({ query: documentFor(options), variables: filter }));
  });
}

function createBlockReader(onBlock: (block: string) => void): (part: string) => void {
  let rest = '';
  return (part) => {
    const blocks = (rest + part).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      onBlock(block);
    }
  };
}

/** Takes one block of an event stream. @returns how the stream ends, where the block says so */
function takeBlock(block: string, onChange: (change: Change) => void): string | undefined {
  if (/^retry: \d+$/m.test(block)) {
    return 'retry';
  }
  const data = /^data: (.+)$/m.exec(block)?.[1];
  if (data === undefined) {
    return undefined;
  }
  const { data: result, errors = [] } = JSON.parse(data) as {
    data?: { operationStatusChanged: Change };
    errors?: { extensions?: { code?: unknown } }[];
  };
  if (!result) {
    return codesOf(errors);
  }
  const { text } = result.operationStatusChanged;
  // By the id of the event: it is what the next connection begins behind.
  onChange({ cursor: /^id: (.+)$/m.exec(block)?.[1] ?? 'no id', text });
  return undefined;
}
