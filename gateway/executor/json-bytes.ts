/** First size of the place that responses are written to, and the size above which it is not kept. */
const FIRST_BYTES = 256 * 1024;
const MOST_KEPT_BYTES = 4 * 1024 * 1024;

/** Short responses share their memory, which is cheaper than one allocation each; it is freed with the last of them. */
const SHARED_BYTES = 128 * 1024;
const LONGEST_SHARED = 16 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const FIRST_OF_TWO_BYTES = 0x80;
const FIRST_OF_THREE_BYTES = 0x800;

const encoder = new TextEncoder();

/** Where JSON is written, one response at a time. */
export const place = { bytes: new Uint8Array(FIRST_BYTES) };

let shared = Buffer.allocUnsafeSlow(SHARED_BYTES);
let sharedUntil = 0;

function copyOf(written: Uint8Array): Buffer {
  if (written.length > LONGEST_SHARED) {
    return Buffer.from(written);
  }
  if (sharedUntil + written.length > SHARED_BYTES) {
    shared = Buffer.allocUnsafeSlow(SHARED_BYTES);
    sharedUntil = 0;
  }
  const copy = shared.subarray(sharedUntil, sharedUntil + written.length);
  copy.set(written);
  sharedUntil += written.length;
  return copy;
}

const FULL = Symbol('full');

/** Gives up writing: {@link collectBytes} begins again in a larger place. */
export function full(): never {
  throw FULL;
}

/**
 * Has `write` write from position 0 and return the position behind its last byte; it is called again where the place was
 * too small.
 *
 * @returns a copy of what was written.
 */
export function collectBytes(write: () => number): Buffer {
  for (;;) {
    try {
      const written = copyOf(place.bytes.subarray(0, write()));
      if (place.bytes.length > MOST_KEPT_BYTES) {
        place.bytes = new Uint8Array(FIRST_BYTES);
      }
      return written;
    } catch (error) {
      if (error !== FULL) {
        throw error;
      }
      place.bytes = new Uint8Array(place.bytes.length * 2);
    }
  }
}

function encode(text: string, position: number): number {
  const encoded = encoder.encode(text);
  if (position + encoded.length > place.bytes.length) {
    full();
  }
  place.bytes.set(encoded, position);
  return position + encoded.length;
}

/** Writes ASCII text as it is. @returns the position behind it */
export function writeAscii(text: string, start: number): number {
  const { bytes } = place;
  if (start + text.length > bytes.length) {
    full();
  }
  for (let index = 0; index < text.length; index++) {
    bytes[start + index] = text.charCodeAt(index);
  }
  return start + text.length;
}

function writeString(value: string, start: number): number {
  const { bytes } = place;
  const { length } = value;
  if (start + 2 * length + 2 > bytes.length) {
    full();
  }
  let position = start;
  bytes[position++] = QUOTE;
  for (let index = 0; index < length; index++) {
    const code = value.charCodeAt(index);
    if (code < FIRST_OF_TWO_BYTES) {
      if (code === QUOTE || code === BACKSLASH) {
        bytes[position++] = BACKSLASH;
      } else if (code < SPACE) {
        return encode(JSON.stringify(value), start);
      }
      bytes[position++] = code;
    } else if (code < FIRST_OF_THREE_BYTES) {
      bytes[position++] = 0xc0 | (code >> 6);
      bytes[position++] = 0x80 | (code & 0x3f);
    } else {
      return encode(JSON.stringify(value), start);
    }
  }
  bytes[position] = QUOTE;
  return position + 1;
}

/** Writes any value as `JSON.stringify` does in a list. @returns the position behind it */
export function writeJson(value: unknown, position: number): number {
  switch (typeof value) {
    case 'string':
      return writeString(value, position);
    case 'boolean':
      return writeAscii(value ? 'true' : 'false', position);
    case 'number':
      return writeAscii(Number.isFinite(value) ? String(value) : 'null', position);
    default:
      return encode(JSON.stringify(value) ?? 'null', position);
  }
}
