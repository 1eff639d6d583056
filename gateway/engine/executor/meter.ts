/** Minimum bytes of an answer's JSON outside of its data: `{"data":{}}` and other members. */
const ENVELOPE = 16;
/** Bytes of an answer that are made without a break: some milliseconds of work. */
const SLICE_BYTES = 128 * 1024;

/**
 * Most bytes of JSON for one byte that a `Meter` counts: a number of 1 digit may have 24, a character may be written as 6
 * bytes. An answer that stays below the bound even with this factor need not be measured.
 */
const MOST_FOR_ONE = 16;
/** Work that a compiled projection leaves for later: fill `target` from `source`, beginning at `index`. */
export interface Unfilled {
  readonly fill: (
    source: readonly unknown[],
    target: unknown[],
    index: number,
    values: unknown,
    meter: Meter,
  ) => void;
  readonly source: readonly unknown[];
  readonly target: unknown[];
  readonly index: number;
}

/** Counts the bytes of an answer while it is made, and decides on breaks. */
export interface Meter {
  /** Least bytes of JSON of the result so far. */
  bytes: number;
  /** Code that has counted more bytes than this makes a break before the next item of a list. */
  pauseAt: number;
  /** Most bytes that the answer may have. */
  readonly maxBytes: number;
  /** Lists that a compiled projection has not filled yet. */
  readonly unfilled: Unfilled[];
  /** Bytes of JSON values that occur many times in an answer, so that each is measured once. */
  measured: Map<object, number> | undefined;
}

/** A meter for one answer. */
export function createMeter(maxBytes = Number.POSITIVE_INFINITY): Meter {
  return {
    bytes: ENVELOPE,
    pauseAt: Math.min(SLICE_BYTES, maxBytes),
    maxBytes,
    unfilled: [],
    measured: undefined,
  };
}

/** Lets the work go on from a break for another slice; false when the answer is too large already. */
export function resume(meter: Meter): boolean {
  meter.pauseAt = Math.min(meter.bytes + SLICE_BYTES, meter.maxBytes);
  return meter.bytes <= meter.maxBytes;
}

/** Whether an answer is certainly not too large, by the bytes counted while it was made. */
export function isSmall(meter: Meter): boolean {
  return meter.bytes * MOST_FOR_ONE <= meter.maxBytes;
}

/** Resets the count before the answer is made again in another way. */
export function restart(meter: Meter): void {
  meter.bytes = ENVELOPE;
  meter.unfilled.length = 0;
}

/** `"key":` and what follows a value. Even a null or the smallest object takes the four bytes of a null. */
export function bytesOfKey(key: string): number {
  return key.length + 4;
}

/** Counts a scalar, and returns it. */
export function countScalar(value: unknown, meter: Meter): unknown {
  if (typeof value === 'string') {
    meter.bytes += value.length + 2;
  } else if (typeof value === 'object' && value !== null) {
    meter.measured ??= new Map();
    meter.bytes += sizeOf(value, meter.measured);
  } else {
    meter.bytes += 1;
  }
  return value;
}

/** Least bytes that the JSON of a value takes. */
function sizeOf(value: unknown, measured: Map<object, number>): number {
  if (typeof value === 'string') {
    return value.length + 2;
  }
  if (typeof value !== 'object' || value === null) {
    return 1;
  }
  const known = measured.get(value);
  if (known !== undefined) {
    return known;
  }
  let size = 1;
  if (Array.isArray(value)) {
    for (const item of value) {
      size += sizeOf(item, measured) + 1;
    }
  } else {
    for (const [name, item] of Object.entries(value)) {
      size += name.length + 4 + sizeOf(item, measured);
    }
  }
  measured.set(value, size);
  return size;
}
