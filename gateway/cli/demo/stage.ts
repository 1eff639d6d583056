import { unlessAborted } from '../../../subgraphs/kernel/abort.ts';
import { OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import type { Terminal } from './terminal.ts';

/** A step of the demo failed. The message names the step and gives the known details. */
export class DemoFailure extends OperatorError {
  override readonly name = 'DemoFailure';
}

/** The tools of one step's work. */
export interface Step {
  /** Aborted when the step's time is over, or when the demo is stopped. */
  readonly signal: AbortSignal;
  /** Adds a line below the step's title. */
  say(line: string): void;
}

/** Shows the journey step by step. */
export interface Stage {
  /**
   * Shows a numbered title, runs the work, and shows its duration and its lines.
   * @throws DemoFailure when the work rejects, or does not end in time
   */
  step<T>(title: string, work: (step: Step) => Promise<T>): Promise<T>;
}

interface StageDeps {
  terminal: Terminal;
  /** Stops the journey at once. */
  stopping: AbortSignal;
  /** Time of one step, milliseconds. Default 30,000. */
  stepMs?: number;
}

export function createStage({ terminal, stopping, stepMs = 30_000 }: StageDeps): Stage {
  const { write, colors } = terminal;
  let steps = 0;
  return {
    step: async (title, work) => {
      stopping.throwIfAborted();
      steps += 1;
      write(`${colors.cyan(String(steps).padStart(2))}  ${colors.bold(title)}`);
      const timeUp = AbortSignal.timeout(stepMs);
      const signal = AbortSignal.any([timeUp, stopping]);
      const lines: string[] = [];
      const began = performance.now();
      try {
        const done = await unlessAborted(signal, () =>
          work({ signal, say: (line) => void lines.push(line) }),
        );
        if (done.aborted) {
          throw signal.reason;
        }
        write(`  ${colors.green(`${Math.round(performance.now() - began)} ms`)}\n`);
        return done.value;
      } catch (error) {
        write(`  ${colors.red('failed')}\n`);
        const reason = timeUp.aborted ? `it did not happen within ${stepMs / 1000} s` : messageOf(error);
        throw new DemoFailure(`Step ${steps}, "${title}": ${reason}`, { cause: error });
      } finally {
        write(`${lines.map((line) => `    ${line}\n`).join('')}\n`);
      }
    },
  };
}

/** With its cause, because the cause of a `fetch` error says more than the error. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
