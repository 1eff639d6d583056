import { type Cost, costOf, perCall, type ReadCost } from './cost.ts';
import { median } from './load.ts';

/** Everybody has a turn of this length, and one call at least; then it is the next one's. */
const TURN_MS = 300;
const TURNS = { most: 7, fewest: 2 };
/** After this long, the fewest turns must do. */
const CALL_MS = 40_000;

/** One who answers, and its turns. */
export interface Contestant {
  call(nth: number): Promise<unknown>;
  readonly readCost: ReadCost;
  readonly turns: Turn[];
}

/** Calls one after the other. */
interface Turn {
  /** Milliseconds. */
  readonly times: readonly number[];
  /** Of a call. */
  readonly cost: Cost;
}

/** One call after the other, each contestant for a turn, as often as time allows. All were called before. */
export async function inTurn(contestants: readonly Contestant[], { most, fewest } = TURNS): Promise<void> {
  const begin = performance.now();
  for (let turn = 0; turn < most; turn += 1) {
    if (turn >= fewest && performance.now() - begin > CALL_MS) {
      return;
    }
    for (const contestant of turn % 2 === 0 ? contestants : contestants.toReversed()) {
      contestant.turns.push(await takeTurn(contestant));
    }
  }
}

async function takeTurn({ call, readCost }: Contestant): Promise<Turn> {
  const times: number[] = [];
  const before = await readCost();
  const end = performance.now() + TURN_MS;
  do {
    const from = performance.now();
    await call(times.length);
    times.push(performance.now() - from);
  } while (performance.now() < end);
  return { times, cost: perCall(costOf(before, await readCost()), times.length) };
}

/** Of each call, milliseconds. */
export function timesOf({ turns }: Contestant): number[] {
  return turns.flatMap(({ times }) => [...times]);
}

/** The cost of a call, in the middle of the turns. */
export function describeCalls({ turns }: Contestant): string {
  const of = (figure: keyof Cost) => median(turns.map(({ cost }) => cost[figure])).toFixed(1);
  return `${of('commands')} commands, ${of('processMs')} + ${of('storeMs')} ms of processor`;
}
