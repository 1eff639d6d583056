import { messageOf } from '../../../../subgraphs/kernel/errors/thrown.ts';
import type { PartnerAnswer, PartnerClient } from './client.ts';
import type { Ledger } from './ledger.ts';
import { dashboardReads, type NewMoneyRequest, newAtomicCall, newMoneyRequest } from './requests.ts';

const CREATED = 201;
const CONFLICT = 409;
/** Every sixth turn of a caller is an atomic call. */
const ATOMIC_EVERY = 6;
/** A lookup in every eighth turn also reads the dashboard. */
const READ_EVERY = 8;
/** Every third turn sends its create three times at once. */
const AT_ONCE = 3;

/** The parts of a load. */
interface Load {
  readonly client: PartnerClient;
  readonly ledger: Ledger;
  readonly callers: number;
  /** Whether callers begin nothing more. */
  isOver(): boolean;
}

/**
 * Runs callers that each send one call after the other until the load is over, and finish the calls they have begun. A caller
 * that gets no answer for too long ends, and leaves a difference.
 */
export async function runCallers(load: Load): Promise<void> {
  let atomicCalls = 0;
  const callLoop = async (caller: number) => {
    for (let turn = caller; !load.isOver(); turn += 1) {
      if (turn % ATOMIC_EVERY === 0) {
        atomicCalls += 1;
        await callAtomic(load, atomicCalls);
      } else {
        await askForMoney(load, turn);
      }
    }
  };
  const end = (error: unknown) => void load.ledger.differences.push(messageOf(error));
  await Promise.all(Array.from({ length: load.callers }, (_, caller) => callLoop(caller).catch(end)));
}

async function askForMoney(load: Load, turn: number): Promise<void> {
  const { client, ledger } = load;
  const request = newMoneyRequest();
  const [first, ...others] = await Promise.all(
    Array.from({ length: turn % AT_ONCE === 0 ? AT_ONCE : 1 }, () => client.call('create', request.call)),
  );
  if (first?.status !== CREATED) {
    ledger.differences.push(`A create was answered ${describe(first)}`);
    return;
  }
  ledger.accepted.set(request.referenceId, first.text);
  for (const answer of others) {
    expectSame(ledger, first, answer, 'at once');
  }
  await followUp(load, turn, request, first);
}

/** One of several calls about the money request. */
async function followUp(
  load: Load,
  turn: number,
  request: NewMoneyRequest,
  first: PartnerAnswer,
): Promise<void> {
  const { client, ledger } = load;
  switch (turn % 5) {
    case 0:
      expectSame(ledger, first, await client.call('repeat', request.call), 'later');
      return;
    case 1:
      await sendOther(load, request, 'same key');
      return;
    case 2:
      await sendOther(load, request, 'no key');
      expectSame(ledger, first, await client.call('repeat', request.call), 'after another body');
      return;
    case 3:
      await cancel(load, request.referenceId);
      return;
    default:
      await readBack(load, turn, request.referenceId);
  }
}

function expectSame(ledger: Ledger, first: PartnerAnswer, answer: PartnerAnswer, when: string): void {
  ledger.sentAgain += 1;
  if (answer.status !== first.status || answer.text !== first.text) {
    ledger.differences.push(
      `A create sent again ${when} was answered ${describe(answer)} instead of ${describe(first)}`,
    );
  }
}

async function sendOther(
  { client, ledger }: Load,
  request: NewMoneyRequest,
  key: 'same key' | 'no key',
): Promise<void> {
  ledger.sentOther += 1;
  const answer = await client.call('other body', request.other(key));
  if (answer.status !== CONFLICT || !answer.text.includes('LEGACY_REFERENCE_EXISTS')) {
    ledger.differences.push(`The same id with another body and ${key} was answered ${describe(answer)}`);
  }
}

async function cancel({ client, ledger }: Load, referenceId: string): Promise<void> {
  const path = `/v1/request-money/${referenceId}/cancel`;
  const answer = await client.call('cancel', { method: 'POST', path, body: {} });
  // A cancel that was sent again, because its answer was lost, finds the money request cancelled.
  if (answer.status === 200 || (answer.status === CONFLICT && answer.isRepeated)) {
    ledger.cancelled.add(referenceId);
  } else {
    ledger.differences.push(`A cancel was answered ${describe(answer)}`);
  }
}

async function readBack({ client, ledger }: Load, turn: number, referenceId: string): Promise<void> {
  const answer = await client.call('lookup', { method: 'GET', path: `/v1/request-money/${referenceId}` });
  if (answer.status !== 200 || JSON.parse(answer.text).referenceId !== referenceId) {
    ledger.differences.push(`A lookup after the create was answered ${describe(answer)}`);
  }
  if (turn % READ_EVERY === 0) {
    await readDashboard({ client, ledger }, referenceId);
  }
}

/** Reads each list of the dashboard once. */
export async function readDashboard(
  { client, ledger }: Pick<Load, 'client' | 'ledger'>,
  referenceId: string,
): Promise<void> {
  for (const [name, query] of Object.entries(dashboardReads(referenceId))) {
    const answer = await client.call('dashboard', { method: 'POST', path: '/graphql', body: { query } });
    if (answer.status !== 200 || answer.text.includes('"errors"')) {
      ledger.differences.push(`The query ${name} was answered ${describe(answer)}`);
    }
  }
}

async function callAtomic({ client, ledger }: Load, number: number): Promise<void> {
  const { correlationId, call } = newAtomicCall(number);
  const answer = await client.call('atomic call', call);
  const isAccepted = answer.status >= 200 && answer.status < 300;
  // After a lost answer the id is used, by this very call.
  if (isAccepted || (answer.text.includes('ERROR_CORRELATION_ID_ALREADY_USED') && answer.isRepeated)) {
    ledger.atomic.add(correlationId);
  } else {
    ledger.differences.push(`An atomic call was answered ${describe(answer)}`);
  }
}

const SHOWN = 300;

function describe(answer: PartnerAnswer | undefined): string {
  return `${answer?.status} ${answer?.text.slice(0, SHOWN)}`;
}
