const DEADLINE_MS = 240_000;
const PAUSE_MS = 10;

/** Waits until the condition holds. @throws after four minutes, naming what was waited for */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) {
      throw new Error(`Waited ${DEADLINE_MS} ms in vain: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
