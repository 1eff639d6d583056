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

/** Ends of the headers, behind the end of the line before: a line may end with LF alone (RFC 9112, section 2.2). */
const EMPTY_LINES = ['\n\r\n', '\n\n'];

/** The length up to the empty line, with its end; undefined before it has arrived. */
function lengthOfHeaders(bytes: Buffer, firstLineEnd: number): number | undefined {
  const ends = EMPTY_LINES.flatMap((empty) => {
    const start = bytes.indexOf(empty, firstLineEnd);
    return start === -1 ? [] : [start + empty.length];
  });
  return ends.length === 0 ? undefined : Math.min(...ends);
}
