import type { ExecutionResult } from 'graphql';

type Data = NonNullable<ExecutionResult['data']> | null;
type Extensions = NonNullable<ExecutionResult['extensions']>;

/**
 * A result without errors whose JSON is already written. It can be read and changed like any result: `data` is parsed
 * on first access.
 */
export class WrittenResult implements ExecutionResult {
  // All are own properties, so that a copy has them. `data` is an accessor.
  declare data?: Data;
  declare errors?: NonNullable<ExecutionResult['errors']>;
  declare extensions?: Extensions;
  readonly #dataText: string;
  readonly #makeData: () => Data;
  #data: Data = null;
  #isWritten = true;

  constructor(dataText: string, makeData: () => Data, extensions: Extensions | undefined) {
    this.#dataText = dataText;
    this.#makeData = makeData;
    Object.defineProperty(this, 'data', DATA);
    if (extensions !== undefined) {
      this.extensions = extensions;
    }
  }

  readData(): Data {
    if (this.#isWritten) {
      this.setData(this.#makeData());
    }
    return this.#data;
  }

  setData(data: Data): void {
    this.#data = data;
    this.#isWritten = false;
  }

  /** The JSON. Code that has read the data may have changed it: then the JSON is written again. */
  toText(): string {
    if (!this.#isWritten || this.errors !== undefined || !('data' in this)) {
      return JSON.stringify(this);
    }
    const rest = this.extensions === undefined ? '' : `,"extensions":${JSON.stringify(this.extensions)}`;
    return `{"data":${this.#dataText}${rest}}`;
  }

  /** Whether the JSON has at most so many bytes in UTF-8. */
  isAtMost(bytes: number): boolean {
    const text = this.toText();
    return text.length * MOST_BYTES_OF_CHARACTER <= bytes || Buffer.byteLength(text) <= bytes;
  }
}

/** A UTF-16 code unit takes at most so many bytes in UTF-8. */
const MOST_BYTES_OF_CHARACTER = 3;

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
