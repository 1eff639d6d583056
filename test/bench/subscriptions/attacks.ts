import { randomBytes } from 'node:crypto';

/** Whom hostile clients attack, and how. */
export interface Attack {
  readonly url: string;
  readonly key: string;
  readonly query: string;
  readonly operationId: string;
  readonly kinds: readonly AttackKind[];
  /** Clients of each kind; by default each kind has a number of its own. */
  readonly clients?: number;
}

export const ATTACK_KINDS = ['slow', 'half-open', 'flooding', 'malformed'] as const;
type AttackKind = (typeof ATTACK_KINDS)[number];

const TEXT = 0x81;
const MASKED = 0x80;

/** A masked frame whose mask changes nothing. */
function frame(first: number, payload: string | Buffer): Buffer {
  const bytes = Buffer.from(payload);
  return Buffer.concat([Buffer.from([first, MASKED | bytes.length]), Buffer.alloc(4), bytes]);
}

/** Each is wrong in a way of its own. Source: RFC 6455, section 5; GraphQL over WebSocket protocol. */
export const FRAMES: readonly Buffer[] = [
  // Not masked.
  Buffer.from([TEXT, 2, 0x7b, 0x7d]),
  // A reserved operation code, then a reserved bit.
  frame(0x83, '{}'),
  frame(0xc1, '{}'),
  // 2^62 bytes are to come.
  Buffer.from([TEXT, MASKED | 127, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
  // A continuation of nothing, and a close frame of one byte.
  frame(0x80, 'x'),
  frame(0x88, 'x'),
  // No UTF-8, no JSON, no message, a message only servers send, a subscription before `connection_init`.
  frame(TEXT, Buffer.from([0xff, 0xfe, 0xfd])),
  frame(TEXT, '{"type":'),
  frame(TEXT, '[1]'),
  frame(TEXT, '{"type":"next","id":"1"}'),
  frame(TEXT, '{"type":"subscribe","id":"1","payload":{"query":"{a}"}}'),
  randomBytes(120),
];
