import type { FundingProvider, Unavailable, WithdrawalAnswer } from '../providers/types.ts';
import type { EventHistory } from '../runtime/events/index.ts';
import type { Pipeline } from './index.ts';
import { DOCUMENTED, type PipelineBench } from './testing.ts';
import { remittanceTimeline } from './use-cases/remittance-timeline.ts';
import { remittanceVerdicts } from './use-cases/remittance-verdict.ts';

type FundingAnswer = Awaited<ReturnType<FundingProvider['request']>>;

export const LOST: Unavailable = { kind: 'unavailable', reason: 'The provider did not answer in time.' };
export const NOT_SENT: Unavailable = {
  kind: 'unavailable',
  reason: 'The provider cannot be reached.',
  notSent: true,
};
export const DAY = 86_400;

/** The actions of withdrawal tests on a bench. */
export function withdrawalsOn(bench: PipelineBench) {
  const later = (seconds: number) => {
    bench.now = new Date(bench.now.getTime() + seconds * 1000);
  };
  return {
    later,
    /** A funding provider that answers by script, and the keys of its calls. Without a script every answer is lost. */
    createFunding: (script: {
      request?: (nth: number) => FundingAnswer | Promise<FundingAnswer>;
      cancel?: (nth: number) => WithdrawalAnswer | Promise<WithdrawalAnswer>;
    }) => {
      const requested: string[] = [];
      const cancelled: string[] = [];
      const funding: FundingProvider = {
        request: async (_request, { idempotencyKey }) => {
          requested.push(idempotencyKey);
          return script.request?.(requested.length) ?? LOST;
        },
        cancel: async (_request, { idempotencyKey }) => {
          cancelled.push(idempotencyKey);
          return script.cancel?.(cancelled.length) ?? { kind: 'cancelled' };
        },
      };
      return { requested, cancelled, providers: { ...bench.deps.providers, funding } };
    },
    /** Lets all attempts at the request, or at its withdrawal, be made. */
    runSchedule: async (pipeline: Pipeline) => {
      await bench.run(pipeline);
      for (const seconds of DOCUMENTED.retrySeconds) {
        later(seconds);
        await bench.run(pipeline);
      }
    },
    outcomesOf: async (correlationId: string) =>
      (await bench.outcomes(correlationId)).map((body) => {
        const { status, errorCode, reason } = JSON.parse(body);
        return { status, errorCode, reason };
      }),
    /** The next action in the timeline, with the cause in the verdict, which never advises anything else. */
    adviceOn: async (pipeline: Pipeline, correlationId: string) => {
      const history: EventHistory = {
        of: async () => [],
        ofMany: async () => [],
        changesAfter: async () => [],
      };
      const chapter = await remittanceTimeline(pipeline, history, bench.deps.users).read(
        'acme/sandbox',
        correlationId,
        100,
      );
      const verdicts = await remittanceVerdicts(pipeline, bench.deps.users, bench.deps).read('acme/sandbox', [
        correlationId,
      ]);
      const verdict = verdicts.get(correlationId);
      return chapter?.problems.map(({ step, nextAction, message }) => {
        if (!verdict || 'type' in verdict || verdict.next !== nextAction) {
          throw new Error(`The timeline advises ${nextAction}, the verdict is ${JSON.stringify(verdict)}`);
        }
        return { step, nextAction, message, cause: verdict.cause };
      })[0];
    },
  };
}
