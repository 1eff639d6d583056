const DEADLINE_MS = 120_000;
const PAUSE_MS = 10;

/** Waits until the condition holds. @throws after `timeoutMs`, naming what was waited for */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = DEADLINE_MS,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) {
      throw new Error(`Waited ${timeoutMs} ms in vain: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
