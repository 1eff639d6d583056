import type { FundingProvider, FundingRequest } from '../platform/providers/types.ts';
import type { Bench } from './testing.ts';

type FundingAnswer = Awaited<ReturnType<FundingProvider['request']>>;

export const TIMED_OUT: FundingAnswer = {
  kind: 'unavailable',
  reason: 'The provider did not answer in time.',
};

/** A funding provider that says what it is told to. */
export interface ScriptedFunding {
  /** What it was asked, in order. */
  readonly asked: { readonly body: FundingRequest; readonly key: string }[];
  /** What it answers, in order; behind the end of it, yes. */
  readonly answers: (FundingAnswer | Promise<FundingAnswer>)[];
  /** Has the next answer wait. @returns what gives it */
  hold(): (answer: FundingAnswer) => void;
  /** Waits until it has been asked so many times. */
  untilAsked(times: number): Promise<void>;
}

/** Puts it in the place of the bench's funding provider. */
export function scriptFunding({ deps }: Bench): ScriptedFunding {
  const asked: ScriptedFunding['asked'] = [];
  const answers: ScriptedFunding['answers'] = [];
  const funding: FundingProvider = {
    request: async (body, { idempotencyKey: key }) => {
      asked.push({ body, key });
      return answers[asked.length - 1] ?? { kind: 'accepted' };
    },
  };
  deps.providers = { ...deps.providers, funding };
  return {
    asked,
    answers,
    hold: () => {
      let give: (answer: FundingAnswer) => void = () => undefined;
      answers.push(
        new Promise((resolve) => {
          give = resolve;
        }),
      );
      return give;
    },
    untilAsked: async (times) => {
      while (asked.length < times) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
