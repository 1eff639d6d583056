import type { Model, Operation, World } from './model.ts';
import { MONEY_OPERATIONS, moveUnnamed } from './money.ts';
import { PEOPLE_OPERATIONS } from './people.ts';

const OPERATIONS = { ...MONEY_OPERATIONS, ...PEOPLE_OPERATIONS };
const NAMES = Object.entries(OPERATIONS).flatMap(([name, [weight]]) =>
  Array.from({ length: weight }, () => name),
);
/** An operation that may change another account of the partner than the caller's: nothing runs beside it. */
const ALONE = 'moveUnnamed';
/** In how many of 100 rounds it runs. */
const ALONE_PERCENT = 12;

interface Started {
  readonly name: string;
  readonly model: Model;
  readonly run: Operation;
}

/**
 * Makes random calls: one of each account at once, each checked against the model of its account.
 * @returns how often each operation was made
 * @throws naming the operation and the seed by which it can be repeated
 */
export async function runRandomly(
  world: World,
  { count, seed }: { readonly count: number; readonly seed: string },
): Promise<Record<string, number>> {
  const { random, models } = world;
  const done: Record<string, number> = Object.fromEntries(
    [...Object.keys(OPERATIONS), ALONE].map((name) => [name, 0]),
  );
  // Each operation is made, also in a short run.
  const due = Object.keys(OPERATIONS);
  for (let made = 0; made < count; ) {
    const round = nextRound(made);
    const left = round.slice(0, count - made);
    await Promise.all(
      left.map(async ({ name, model, run }, index) => {
        try {
          await run(world, model);
        } catch (cause) {
          const where = `Call ${made + index + 1}, ${name} of ${model.accountId}, RANDOM_CALLS_SEED=${seed}`;
          throw new Error(`${where}: ${(cause as Error).message}`, { cause });
        }
      }),
    );
    for (const { name } of left) {
      done[name] = (done[name] ?? 0) + 1;
    }
    made += left.length;
  }
  return done;

  function nextRound(made: number): Started[] {
    if (random.chance(ALONE_PERCENT) || (made > count / 2 && done[ALONE] === 0)) {
      return [{ name: ALONE, model: random.pick(models), run: moveUnnamed }];
    }
    return models.map((model) => {
      const name = due.pop() ?? random.pick(NAMES);
      return { name, model, run: OPERATIONS[name]?.[1] as Operation };
    });
  }
}
