import { addAbortListener } from 'node:events';
import { unlessAborted } from '../../../../subgraphs/kernel/abort.ts';
import { messageOf } from '../../../../subgraphs/kernel/errors/thrown.ts';
import type { Check } from '../check.ts';
import { type Recorder, recordStatements } from '../plans/record.ts';
import { dbOf, type Scratch } from '../scratch.ts';
import { readDashboard, runCallers } from './callers.ts';
import { createPartnerClient, type PartnerClient } from './client.ts';
import { latestCursor, startFollower } from './follower.ts';
import {
  judgeAnswers,
  judgeAtomicCalls,
  judgeEvents,
  judgeFollowed,
  judgeStored,
  judgeWebhooks,
  type Settled,
} from './judge.ts';
import { createLatencies } from './latencies.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { settle } from './settle.ts';
import { startStage } from './stage.ts';

/** A load of the product's own server. */
interface MoneyPathOptions {
  /** First part of the names of checks. */
  readonly name: string;
  readonly seconds: number;
  /** Callers at once. */
  readonly callers: number;
  readonly signal: AbortSignal;
  /** Gets the statements that the server sends. */
  readonly recorder: Recorder;
  /** Runs beside the callers, until the signal aborts. Its error is a difference. @returns a detail for people */
  readonly beside?: (isOver: AbortSignal) => Promise<string>;
}

/** The longest time for what a load has left: calls under way, webhooks, live events. */
const AFTER_LOAD_MS = 600_000;

/** The checks of one load. The first one runs it; the others read back. */
export function moneyPathChecks(options: MoneyPathOptions): readonly Check[] {
  let settled: Settled | undefined;
  const judge = (part: string, by: (settled: Settled) => Promise<string>): Check => ({
    name: `${options.name}: ${part}`,
    run: async () => {
      if (settled === undefined) {
        throw new Error('The load has not ended, so there is nothing to read back');
      }
      return by(settled);
    },
  });
  return [
    {
      name: `${options.name}: load`,
      limitMs: options.seconds * 1_000 + AFTER_LOAD_MS,
      run: async (scratch) => {
        const run = await runLoad(scratch, options);
        settled = run.settled;
        return run.detail;
      },
    },
    judge('answers', judgeAnswers),
    judge('creates stored once', judgeStored),
    judge('atomic calls done once', judgeAtomicCalls),
    judge('webhooks complete', judgeWebhooks),
    judge('events complete', judgeEvents),
    judge('live events complete', judgeFollowed),
  ];
}

async function runLoad(
  scratch: Scratch,
  options: MoneyPathOptions,
): Promise<{ settled: Settled; detail: string }> {
  const { signal } = options;
  const stage = await startStage(scratch.uri);
  const stopRecording = recordStatements(stage.connection, options.recorder);
  const closing = [stage.close];
  try {
    const latencies = createLatencies();
    const ledger = createLedger();
    const client = createPartnerClient(stage, latencies, signal);
    const begin = await latestCursor(client);
    const follower = startFollower(stage, begin);
    closing.push(follower.stop);
    const { seconds, beside } = await callForSeconds({ client, ledger }, options);
    const [reference = ''] = ledger.accepted.keys();
    await readDashboard({ client, ledger }, reference);
    const db = dbOf(scratch.connection);
    const changes = ledger.accepted.size + ledger.cancelled.size;
    await unlessAborted(signal, async () => {
      await settle(db);
      await follower.waitFor(changes);
    });
    signal.throwIfAborted();
    const replay = startFollower(stage, begin);
    closing.push(replay.stop);
    await unlessAborted(signal, () => replay.waitFor(changes));
    signal.throwIfAborted();
    const perSecond = (ledger.accepted.size / seconds).toFixed(1);
    const lines = [`${perSecond} creates a second by ${options.callers} callers`, ...latencies.lines()];
    return {
      settled: {
        db,
        stage,
        ledger,
        followed: follower.changes,
        replayed: replay.changes,
        repeats: client.repeats(),
      },
      detail: [...lines, ...(beside === '' ? [] : [beside])].join('\n'),
    };
  } finally {
    stopRecording();
    for (const close of closing.toReversed()) {
      await close();
    }
  }
}

/**
 * Runs the callers, and the work beside them, until the time is over or the signal aborts.
 * @throws the signal's reason
 */
async function callForSeconds(
  parts: { readonly client: PartnerClient; readonly ledger: Ledger },
  { seconds, callers, signal, beside }: MoneyPathOptions,
): Promise<{ readonly seconds: number; readonly beside: string }> {
  signal.throwIfAborted();
  const began = performance.now();
  const over = new AbortController();
  const end = () => over.abort();
  const timer = setTimeout(end, seconds * 1_000);
  const stopListening = addAbortListener(signal, end);
  const besides = beside?.(over.signal).catch((error: unknown) => {
    parts.ledger.differences.push(messageOf(error));
    return '';
  });
  await runCallers({ ...parts, callers, isOver: () => over.signal.aborted });
  // Callers that got no answers for too long end before the time.
  clearTimeout(timer);
  stopListening[Symbol.dispose]();
  end();
  const detail = (await besides) ?? '';
  signal.throwIfAborted();
  return { seconds: (performance.now() - began) / 1_000, beside: detail };
}
