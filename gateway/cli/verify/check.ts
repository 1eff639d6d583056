import { toShortText } from '../../../subgraphs/kernel/text.ts';
import type { Scratch } from './scratch.ts';

/** One promise of a database that the product relies on, or a part of it. */
export interface Check {
  /** Unique among all checks, such as `transactions: all or nothing`. */
  readonly name: string;
  /** The time that it may take, milliseconds. Default: two minutes. */
  readonly limitMs?: number;
  /**
   * Tries it out in the scratch database.
   * @returns a detail for people
   * @throws Difference when the database does otherwise; NotTried when it cannot be tried here; else the server's own error
   */
  run(scratch: Scratch): Promise<string>;
}

/** The database does something else than the product relies on. */
export class Difference extends Error {
  override readonly name = 'Difference';
}

/** A check that cannot be made with this database or this connection. The message says why. */
export class NotTried extends Error {
  override readonly name = 'NotTried';
}

/** @throws Difference with the text, unless the condition holds */
export function expectThat(condition: boolean, otherwise: string): asserts condition {
  if (!condition) {
    throw new Difference(otherwise);
  }
}

/** A list of every lost money request of a load would fill screens. */
const SHOWN = 1_000;

/** Compares by JSON. @throws Difference that names the subject and the beginning of both values */
export function expectEqual(subject: string, actual: unknown, expected: unknown): void {
  const [found, wanted] = [String(JSON.stringify(actual)), String(JSON.stringify(expected))];
  expectThat(
    found === wanted,
    `${subject}: ${toShortText(found, SHOWN)} instead of ${toShortText(wanted, SHOWN)}`,
  );
}

/** Waits for work that must fail. @returns its error @throws Difference when it succeeds */
export async function errorOf(subject: string, work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Difference(`${subject} succeeded, and should fail`);
}
