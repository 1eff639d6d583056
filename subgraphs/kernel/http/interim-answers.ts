import type { Duplex } from 'node:stream';

/** The longest status line, and the longest interim answer, that is waited for, bytes. */
const LONGEST_BYTES = 64 * 1024;
const STATUS_LINE = /^HTTP\/1\.\d (\d{3})(?:\s|$)/;

/**
 * Removes interim answers (1xx) from an HTTP/1.1 connection before undici reads them. A client must accept those that it did
 * not expect (RFC 9110, section 15.2), but undici closes the connection on a 100.
 * @param onStatus called with the status of an answer as soon as its status line has arrived, before undici reads it
 * @returns a function to call with each further request on the connection: the next bytes are the start of its answer
 */
export function removeInterimAnswers(
  socket: Duplex,
  onStatus: (statusCode: number) => void = () => undefined,
): () => void {
  const read = socket.read.bind(socket);
  let isStart = true;
  let held = Buffer.alloc(0);
  socket.read = (size) => {
    const chunk: Buffer | null = read(size);
    if (!isStart || chunk === null) {
      return chunk;
    }
    held = Buffer.concat([held, chunk]);
    for (let start = readStart(held); start.kind !== 'incomplete'; start = readStart(held)) {
      if (start.kind === 'final') {
        const whole = held;
        held = Buffer.alloc(0);
        isStart = false;
        if (start.statusCode !== undefined) {
          onStatus(start.statusCode);
        }
        return whole;
      }
      held = held.subarray(start.length);
    }
    return null;
  };
  return () => {
    isStart = true;
  };
}

type Start =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'interim'; readonly length: number }
  /** Without a status code: no answer of HTTP/1.1. */
  | { readonly kind: 'final'; readonly statusCode?: number };

/** The beginning of an answer. */
function readStart(bytes: Buffer): Start {
  const incomplete: Start = bytes.length > LONGEST_BYTES ? { kind: 'final' } : { kind: 'incomplete' };
  const lineEnd = bytes.subarray(0, LONGEST_BYTES).indexOf('\n');
  if (lineEnd === -1) {
    return incomplete;
  }
  const [, code] = STATUS_LINE.exec(bytes.toString('latin1', 0, lineEnd)) ?? [];
  if (code === undefined) {
    return { kind: 'final' };
  }
  const statusCode = Number(code);
  // 101 ends HTTP on its connection, so it is no interim answer.
  if (statusCode >= 200 || statusCode === 101) {
    return { kind: 'final', statusCode };
  }
  const length = lengthOfHeaders(bytes, lineEnd);
  return length === undefined ? incomplete : { kind: 'interim', length };
}

/** Up to the empty line with its end; undefined before it has arrived. A line may end with LF alone (RFC 9112, section 2.2). */
function lengthOfHeaders(bytes: Buffer, firstLineEnd: number): number | undefined {
  let start = firstLineEnd + 1;
  for (let end = bytes.indexOf('\n', start); end !== -1; end = bytes.indexOf('\n', start)) {
    const isEmpty = end === start || (end === start + 1 && bytes.toString('latin1', start, end) === '\r');
    start = end + 1;
    if (isEmpty) {
      return start;
    }
  }
  return undefined;
}
