import { until } from '../../test/support/until.ts';
import type { CardProvider, FundingProvider, FundingRequest, WithdrawalAnswer } from '../providers/types.ts';
import type { Bench } from './testing.ts';

type FundingAnswer = Awaited<ReturnType<FundingProvider['request']>>;

export const TIMED_OUT: FundingAnswer = {
  kind: 'unavailable',
  reason: 'The provider did not answer in time.',
};

/** A funding provider that answers what a test has it answer. */
export interface ScriptedFunding {
  /** Its calls, in order. */
  readonly called: { readonly body: FundingRequest; readonly key: string }[];
  /** Its answers, in order; behind the end of the list, yes. */
  readonly answers: (FundingAnswer | Promise<FundingAnswer>)[];
  /** Its withdrawals, in order. */
  readonly cancelled: { readonly body: FundingRequest; readonly key: string }[];
  /** Its answers to withdrawals, in order; behind the end of the list, `cancelled`. */
  readonly withdrawals: (WithdrawalAnswer | Promise<WithdrawalAnswer>)[];
  /** Makes the next answer wait. @returns the function that gives it */
  hold(): (answer: FundingAnswer) => void;
  /** Waits until it has been called so many times. */
  untilCalled(times: number): Promise<void>;
}

/** Replaces the bench's funding provider. */
export function scriptFunding({ deps }: Pick<Bench, 'deps'>): ScriptedFunding {
  const called: ScriptedFunding['called'] = [];
  const answers: ScriptedFunding['answers'] = [];
  const cancelled: ScriptedFunding['cancelled'] = [];
  const withdrawals: ScriptedFunding['withdrawals'] = [];
  const funding: FundingProvider = {
    request: async (body, { idempotencyKey: key }) => {
      called.push({ body, key });
      return answers[called.length - 1] ?? { kind: 'accepted' };
    },
    cancel: async (body, { idempotencyKey: key }) => {
      cancelled.push({ body, key });
      return withdrawals[cancelled.length - 1] ?? { kind: 'cancelled' };
    },
  };
  deps.providers = { ...deps.providers, funding };
  return {
    called,
    answers,
    cancelled,
    withdrawals,
    hold: () => {
      let give: (answer: FundingAnswer) => void = () => undefined;
      answers.push(
        new Promise((resolve) => {
          give = resolve;
        }),
      );
      return give;
    },
    untilCalled: (times) => untilLonger(called, times),
  };
}

/** A provider of cards whose answers a test gives. */
interface HeldCards {
  /** Answers its last call. */
  answerLast(answer: CardAnswer): void;
  /** Waits until it has been called so many times. */
  untilCalled(times: number): Promise<void>;
}

type CardAnswer = Awaited<ReturnType<CardProvider['verify']>>;

/** Replaces the bench's provider of cards. */
export function holdCards({ deps }: Pick<Bench, 'deps'>): HeldCards {
  const called: unknown[] = [];
  const waiting: ((answer: CardAnswer) => void)[] = [];
  const verify: CardProvider['verify'] = (card) => {
    called.push(card);
    return new Promise((resolve) => waiting.push(resolve));
  };
  deps.providers = { ...deps.providers, cards: { verify } };
  return {
    answerLast: (answer) => waiting.at(-1)?.(answer),
    untilCalled: (times) => untilLonger(called, times),
  };
}

/** Follows the calls that wait for the result of an identical one. @returns waits until there are so many */
export function followWaiting({ deps }: Pick<Bench, 'deps'>): (calls: number) => Promise<void> {
  // A waiting call reads its reservation again and again, always by the one that it has found.
  const waiting = new Set<object>();
  const { find } = deps.reservations;
  deps.reservations.find = (of, unit) => {
    if ('attempts' in of && unit === undefined) {
      waiting.add(of);
    }
    return find(of, unit);
  };
  return (calls) => until(`${calls} calls that wait`, () => waiting.size >= calls);
}

async function untilLonger(list: readonly unknown[], length: number): Promise<void> {
  while (list.length < length) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
