import { execFile } from 'node:child_process';

/** How a short-lived program ended. `reason` is one line for the operator. */
export type RunOutcome =
  | { readonly ok: true; readonly stdout: string }
  | { readonly ok: false; readonly reason: string };

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const REASON_LENGTH = 300;

/** Runs a program to its end, or ends it after `timeoutMs`. Never throws, whatever the program does. */
export function run(
  command: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; timeoutMs: number },
): Promise<RunOutcome> {
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      {
        env: options.env,
        timeout: options.timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_OUTPUT_BYTES,
        encoding: 'utf8',
      },
      (error, stdout, stderr) => {
        if (error === null) {
          resolve({ ok: true, stdout });
        } else if (error.killed === true) {
          resolve({ ok: false, reason: `it took longer than ${options.timeoutMs / 1000} s` });
        } else {
          resolve({ ok: false, reason: lastLine(stderr) ?? lastLine(stdout) ?? error.message });
        }
      },
    );
  });
}

/** The last line with text, shortened. */
export function lastLine(text: string): string | undefined {
  return text
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '')
    ?.slice(0, REASON_LENGTH);
}
