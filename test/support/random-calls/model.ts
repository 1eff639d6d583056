import type { AccountId } from '../../../subgraphs/kernel/account.ts';
import type { Random } from '../../conformance/fuzz/random.ts';
import type { Exchange } from '../http.ts';

export type Status = 'pending' | 'processing' | 'completed' | 'rejected' | 'cancelled';

/** The moves that document 2 allows. */
export const NEXT: Readonly<Record<Status, readonly Status[]>> = {
  pending: ['processing', 'completed', 'rejected', 'cancelled'],
  processing: ['completed', 'rejected', 'cancelled'],
  completed: [],
  rejected: [],
  cancelled: [],
};
export const STATUSES = Object.keys(NEXT) as Status[];

export interface MoneyRequest {
  readonly referenceId: string;
  /** No other money request of any account has it. */
  readonly amount: number;
  readonly body: object;
  /** The answer to its create over REST. */
  readonly answer: string | undefined;
  status: Status;
}

interface User {
  readonly userId: string;
  readonly phone: string;
  readonly email: string;
}

export interface Link {
  readonly linkId: string;
  readonly referenceId: string;
  status: 'created' | 'opened' | 'revoked';
}

/** The expected content of an account: the oracle of its reads. Maps have their records in the order of their creation. */
export interface Model {
  readonly accountId: AccountId;
  /** Place among the accounts: amounts are congruent to it, modulo their number. */
  readonly index: number;
  readonly key: string;
  readonly money: Map<string, MoneyRequest>;
  /** By phone number. */
  readonly users: Map<string, User>;
  readonly links: Map<string, Link>;
  /** Users that only money requests and links name, by the partner's reference. */
  readonly named: Set<string>;
  /** Amounts of operations of request-money-v2, by correlationId. */
  readonly operations: Map<string, number>;
  /** Webhooks that its hook must receive: event, reference and status or code. */
  readonly webhooks: string[];
  /** Status changes that its subscription must receive: reference, amount and status. */
  readonly changes: string[];
  amounts: number;
}

/** Ids that all accounts choose from, so that they have records with the same ones. */
interface Pool {
  readonly references: string[];
  readonly phones: string[];
  readonly people: readonly string[];
}

export interface World {
  readonly exchange: Exchange;
  readonly random: Random;
  readonly models: readonly Model[];
  readonly pool: Pool;
}

/** A call as an account, and the check of its answer. Makes its choices before it waits for anything. */
export type Operation = (world: World, model: Model) => Promise<void>;

export function newModel(accountId: AccountId, index: number, key: string): Model {
  return {
    ...{ accountId, index, key, amounts: 0, webhooks: [], changes: [] },
    ...{ money: new Map(), users: new Map(), links: new Map(), operations: new Map(), named: new Set() },
  };
}

/** An amount that no other record of any account has. */
export function newAmount(model: Model, { models }: World): number {
  model.amounts += 1;
  return 100 + model.amounts * models.length + model.index;
}

/** One of the list, or a new one, which the list has from then on. */
export function pickOrMake(list: string[], { random }: World, make: (nth: number) => string): string {
  if (list.length === 0 || random.chance(30)) {
    list.push(make(list.length));
    return String(list.at(-1));
  }
  // Recent ones are more likely to be in some accounts only.
  return random.pick(random.chance(70) ? list.slice(-12) : list);
}

/** The records of a map that were made last, newest first. */
export function newest<Item>(records: ReadonlyMap<string, Item>, count: number): Item[] {
  return [...records.values()].slice(-count).toReversed();
}
