import { performance } from 'node:perf_hooks';
import { unlessAborted } from '../../../../subgraphs/kernel/abort.ts';
import { messageOf } from '../../../../subgraphs/kernel/errors/thrown.ts';
import type { Check } from '../check.ts';
import { type Recorder, recordStatements } from '../plans/record.ts';
import { dbOf, type Scratch } from '../scratch.ts';
import { readDashboard, runCallers } from './callers.ts';
import { createPartnerClient } from './client.ts';
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
import { createLedger } from './ledger.ts';
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
  const stage = await startStage(scratch.uri);
  const stopRecording = recordStatements(stage.connection, options.recorder);
  const closing = [stage.close];
  try {
    const latencies = createLatencies();
    const ledger = createLedger();
    const client = createPartnerClient(stage, latencies, options.signal);
    const began = performance.now();
    const begin = await latestCursor(stage);
    const follower = startFollower(stage, begin);
    closing.push(follower.stop);
    // Not AbortSignal.any with a timeout: without a listener Node 20 collects that signal, and it never aborts.
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), options.seconds * 1_000);
    closing.push(async () => clearTimeout(timer));
    const isOver = () => over.signal.aborted || options.signal.aborted;
    const besides = options.beside?.(over.signal).catch((error: unknown) => {
      ledger.differences.push(messageOf(error));
      return '';
    });
    await runCallers({ client, ledger, callers: options.callers, isOver });
    const beside = (await besides) ?? '';
    const seconds = (performance.now() - began) / 1_000;
    options.signal.throwIfAborted();
    const [reference = ''] = ledger.accepted.keys();
    await readDashboard({ client, ledger }, reference);
    const db = dbOf(scratch.connection);
    const changes = ledger.accepted.size + ledger.cancelled.size;
    await unlessAborted(options.signal, async () => {
      await settle(db);
      await follower.waitFor(changes);
    });
    options.signal.throwIfAborted();
    const replay = startFollower(stage, begin);
    closing.push(replay.stop);
    await replay.waitFor(changes);
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
