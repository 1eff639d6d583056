import type { ExecutionResult } from 'graphql';

type Data = ExecutionResult['data'];

/** A UTF-16 code unit takes at most so many bytes in UTF-8. */
const MOST_BYTES_OF_CHARACTER = 3;

/**
 * A result whose data is written as JSON. It can be read and changed like any result: `data` is parsed on first access.
 */
export class WrittenResult implements ExecutionResult {
  // All are own properties, so that a copy has them. `data` is an accessor.
  declare data?: NonNullable<Data> | null;
  declare errors?: NonNullable<ExecutionResult['errors']>;
  declare extensions?: NonNullable<ExecutionResult['extensions']>;
  /** The JSON of the data; undefined once code has read the data, because it may have changed it. */
  #text: string | undefined;
  #data: Data;

  constructor(text: string, errors: ExecutionResult['errors'], extensions: ExecutionResult['extensions']) {
    this.#text = text;
    Object.defineProperty(this, 'data', DATA);
    if (errors !== undefined) {
      this.errors = errors;
    }
    if (extensions !== undefined) {
      this.extensions = extensions;
    }
  }

  readData(): Data {
    if (this.#text !== undefined) {
      // The text is a selection of fields, or null.
      this.setData(JSON.parse(this.#text) as Data);
    }
    return this.#data;
  }

  setData(data: Data): void {
    this.#data = data;
    this.#text = undefined;
  }

  /** The JSON. */
  toText(): string {
    if (this.#text === undefined || !('data' in this)) {
      return JSON.stringify(this);
    }
    const errors = this.errors === undefined ? '' : `,"errors":${JSON.stringify(this.errors)}`;
    const rest = this.extensions === undefined ? '' : `,"extensions":${JSON.stringify(this.extensions)}`;
    return `{"data":${this.#text}${errors}${rest}}`;
  }

  /** Whether the JSON has at most so many bytes in UTF-8. */
  isAtMost(bytes: number): boolean {
    const text = this.toText();
    return text.length * MOST_BYTES_OF_CHARACTER <= bytes || Buffer.byteLength(text) <= bytes;
  }
}

/** One for all results, so that they have one shape. */
const DATA: PropertyDescriptor & ThisType<WrittenResult> = {
  get() {
    return this.readData();
  },
  set(data: Data) {
    this.setData(data);
  },
  enumerable: true,
  configurable: true,
};

/** The JSON of a result. */
export function resultText(result: ExecutionResult): string {
  return result instanceof WrittenResult ? result.toText() : JSON.stringify(result);
}
