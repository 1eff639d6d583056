import { describe, expect, test } from '@jest/globals';
import picocolors from 'picocolors';
import { createStage, DemoFailure } from './stage.ts';

function setUp(stepMs?: number) {
  const written: string[] = [];
  const stopping = new AbortController();
  const colors = picocolors.createColors(false);
  const stage = createStage({
    terminal: { write: (text) => void written.push(text), colors },
    stopping: stopping.signal,
    ...(stepMs === undefined ? {} : { stepMs }),
  });
  return { stage, stopping, text: () => written.join('') };
}

describe('the stage', () => {
  test('numbers the steps and shows their lines and durations', async () => {
    const { stage, text } = setUp();
    expect(await stage.step('First', async ({ say }) => say('it works'))).toBeUndefined();
    expect(await stage.step('Second', async () => 7)).toBe(7);
    expect(text()).toMatch(/^ 1 {2}First {2}\d+ ms\n {4}it works\n\n 2 {2}Second {2}\d+ ms\n\n$/);
  });

  test('reports which step failed, why, and its output', async () => {
    const { stage, text } = setUp();
    const failing = stage.step('First', async ({ say }) => {
      say('so far so good');
      throw new Error('the answer was 500');
    });
    await expect(failing).rejects.toThrow(/^Step 1, "First": the answer was 500$/);
    await expect(failing).rejects.toBeInstanceOf(DemoFailure);
    expect(text()).toBe(' 1  First  failed\n    so far so good\n\n');
  });

  test('ends a step that takes too long, and aborts its work', async () => {
    const { stage } = setUp(20);
    let signal: AbortSignal | undefined;
    const endless = stage.step('Endless', (step) => {
      signal = step.signal;
      return new Promise(() => undefined);
    });
    // The time of a step does not hold a process: something else has to.
    const held = setInterval(() => undefined, 1_000);
    await expect(endless).rejects.toThrow('Step 1, "Endless": it did not happen within 0.02 s');
    clearInterval(held);
    expect(signal?.aborted).toBe(true);
  });

  test('ends at once when it is stopped, and starts no further step', async () => {
    const { stage, stopping } = setUp();
    const endless = stage.step('Endless', () => new Promise(() => undefined));
    stopping.abort(new Error('stopped by SIGINT'));
    await expect(endless).rejects.toThrow('stopped by SIGINT');
    await expect(stage.step('Next', async () => undefined)).rejects.toThrow('stopped by SIGINT');
  });
});
