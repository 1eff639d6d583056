import { cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';

const LOOK_MS = 500;
const MUCH = 0.5;

/**
 * How many test files run at once. For two processors four: files wait for databases, processes and times a good part of
 * their time. Beside other work, two are enough. Looks at the processors now: the load average still has the installation and
 * the build that came before.
 */
export async function chooseWorkers() {
  const before = takeTimes();
  await setTimeout(LOOK_MS);
  const after = takeTimes();
  const busy = (after.busy - before.busy) / Math.max(1, after.all - before.all);
  return busy > MUCH ? 2 : 4;
}

/** Of all processors since their start, milliseconds. */
function takeTimes() {
  const times = cpus().map((one) => one.times);
  const sum = (names) => times.flatMap((one) => names.map((name) => one[name])).reduce((a, b) => a + b, 0);
  return { busy: sum(['user', 'nice', 'sys', 'irq']), all: sum(['user', 'nice', 'sys', 'irq', 'idle']) };
}
