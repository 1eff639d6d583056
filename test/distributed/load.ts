import { setTimeout as sleep } from 'node:timers/promises';
import { type AtomicCall, callAtomic, callerOf, newAtomicCall } from '../support/atomic-calls.ts';
import type { Exchange, RawResponse } from '../support/http.ts';
import {
  createMoneyRequest,
  lookUp,
  moneyRequestBody,
  newReference,
  queryGraph,
} from '../support/money-requests.ts';
import { KEYS } from '../support/seed.ts';

/** The query of a dashboard: every subgraph has a part of the answer. */
export const DASHBOARD = `query {
  operations(first: 5) { nodes { id status user { id cipStatus } link { id } requestMoney { referenceId } } }
  requestMonies(first: 5) { nodes { referenceId status user { id } } }
}`;
const PATIENCE_MS = 60_000;
const RETRY_MS = 100;
const REST_MS = 200;

/** A request that had no answer, or one that nobody can use. */
export interface FailedRequest {
  readonly what: string;
  /** When it was sent and when it failed, by `performance.now()`. */
  readonly from: number;
  readonly to: number;
  readonly why: string;
}

/** The partners' load on a deployment until they are stopped. */
export interface Load {
  readonly failed: readonly FailedRequest[];
  /** Answers that must not be. */
  readonly wrong: readonly string[];
  /** Requests that were answered as they should. */
  answered(): number;
  /** Money requests that were created, by reference: the exact answer. */
  readonly created: ReadonlyMap<string, string>;
  /** Atomic calls that were accepted. */
  readonly calls: readonly AtomicCall[];
  stop(): Promise<void>;
}

/** Starts partners who create money requests, make atomic calls, look up, and read dashboards, one thing after the other each. */
export function startLoad(exchange: Exchange): Load {
  const failed: FailedRequest[] = [];
  const wrong: string[] = [];
  const created = new Map<string, string>();
  const calls: AtomicCall[] = [];
  let answered = 0;
  let stopped = false;

  /** Sends until there is an answer, as partners do who know that sending again is safe. @throws when there is none for a minute */
  async function insist(what: string, send: () => Promise<RawResponse>): Promise<RawResponse> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const from = performance.now();
      const outcome = await send().catch((error: Error) => error);
      if (!(outcome instanceof Error) && outcome.status < 500) {
        answered += 1;
        return outcome;
      }
      const why = outcome instanceof Error ? outcome.message : `${outcome.status} ${outcome.text}`;
      failed.push({ what, from, to: performance.now(), why });
      if (from > deadline) {
        throw new Error(`${what} has no answer: ${why}`);
      }
      await sleep(RETRY_MS);
    }
  }
  const expect = (what: string, is: boolean, answer: string) => {
    if (!is) {
      wrong.push(`${what}: ${answer.slice(0, 300)}`);
    }
  };

  async function create(): Promise<void> {
    const reference = newReference();
    const body = moneyRequestBody(reference);
    const send = () => createMoneyRequest(exchange, body, { idempotencyKey: `key-${reference}` });
    const first = await insist('create', send);
    const again = await insist('create again', send);
    expect('create', first.status === 201, first.text);
    expect('create again', again.status === 201 && again.text === first.text, again.text);
    created.set(reference, first.text);
  }
  async function look(): Promise<void> {
    const reference = [...created.keys()].at(-1);
    if (reference !== undefined) {
      const { status, text } = await insist('look-up', () => lookUp(exchange, reference));
      expect('look-up', status === 200 && text.startsWith(`{"referenceId":"${reference}",`), text);
      const unknown = await insist('look-up of nothing', () => lookUp(exchange, 'NoSuch00'));
      expect('look-up of nothing', unknown.status === 404, unknown.text);
    }
  }
  async function call(): Promise<void> {
    const next = newAtomicCall({
      caller: callerOf(calls.length),
      method: 'account',
      requester: 'Ruiz',
      payer: 'Roe',
    });
    const { status, text } = await insist('atomic call', () => callAtomic(exchange, next));
    // One that was accepted before its answer was lost is a duplicate when it is sent again.
    expect(
      'atomic call',
      status === 200 || text.includes('ERROR_CORRELATION_ID_ALREADY_USED'),
      `${status} ${text}`,
    );
    calls.push(next);
  }
  async function read(): Promise<void> {
    const from = performance.now();
    const answer = await queryGraph<object>(exchange, DASHBOARD, {}, KEYS.acme).catch(
      (error: Error) => error,
    );
    if (answer instanceof Error || answer.status >= 500 || answer.errors !== undefined) {
      const why = answer instanceof Error ? answer.message : JSON.stringify(answer.errors ?? answer.status);
      failed.push({ what: 'dashboard', from, to: performance.now(), why });
    } else {
      answered += 1;
      expect('dashboard', answer.data != null, JSON.stringify(answer));
    }
  }

  const partners = [create, create, look, call, read].map(async (act) => {
    try {
      while (!stopped) {
        await act();
        await sleep(REST_MS);
      }
    } catch (error) {
      wrong.push(`A partner has given up: ${String(error)}`);
    }
  });
  return {
    failed,
    wrong,
    created,
    calls,
    answered: () => answered,
    stop: async () => {
      stopped = true;
      await Promise.all(partners);
    },
  };
}
