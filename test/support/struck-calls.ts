import { expect } from '@jest/globals';
import type { Connection } from 'mongoose';
import type { FaultProxy } from './fault-proxy.ts';
import type { RawResponse } from './http.ts';
import { commandsOn, insist, strikeAll } from './strikes.ts';

/** The effect of a call is read from the store: how many records there are more of, by collection. */
const COUNTED = [
  'apiKeys',
  'cipTickets',
  'contacts',
  'dataRequests',
  'linkActivities',
  'linkImages',
  'links',
  'moneyRequests',
  'operationHistory',
  'operations',
  'paymentMethods',
  'tenants',
  'uniqueValues',
  'users',
  'webhookDeliveries',
  'webhookEndpoints',
];

type Census = Readonly<Record<string, number>>;

async function countAll(connection: Connection): Promise<Census> {
  const counts = await Promise.all(
    COUNTED.map(async (name) => [name, await connection.collection(name).countDocuments()] as const),
  );
  // A webhook has events of its own, of each attempt.
  const reported = { entity: { $in: ['link', 'operation', 'requestMoney', 'user'] } };
  const events = await connection.collection('events').countDocuments(reported);
  return { ...Object.fromEntries(counts), events };
}

const added = (before: Census, after: Census): Census =>
  Object.fromEntries(
    Object.entries(after)
      .map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
      .filter(([, more]) => more !== 0),
  );

const times = (effect: Census, factor: number): Census =>
  Object.fromEntries(Object.entries(effect).map(([name, count]) => [name, count * factor]));

/** A call whose commands are struck. */
export interface Call<Made> {
  /** Collections that it uses. */
  readonly on: readonly string[];
  /** Makes what the call is about. */
  prepare(): Promise<Made>;
  send(made: Made): Promise<RawResponse>;
  /** The answer when an earlier call has done it, and the partner has no answer. Default: the same as ever. */
  readonly doneBefore?: string;
  /** It has no id by which a second call could be known: each may do it once more. */
  readonly repeats?: boolean;
  /** The records in the end. */
  holds?(made: Made): Promise<unknown>;
}

/** Whether a call has succeeded, over REST or GraphQL. */
export const isDone = ({ status, text }: RawResponse) =>
  (status === 200 || status === 201) &&
  !text.includes('"errors":[') &&
  (!text.includes('"userErrors"') || text.includes('"userErrors":[]'));

/**
 * Strikes at a call; each run has the effect of the one that nothing struck.
 * @param connection to the database that has the effect
 */
export async function strikeCall<Made>(
  proxy: FaultProxy,
  connection: Connection,
  call: Call<Made>,
): Promise<void> {
  let expected: { effect: Census; held: unknown } | undefined;
  const struck = await strikeAll<Made>(proxy, {
    counts: () => commandsOn(call.on),
    prepare: call.prepare,
    run: async (name, made) => {
      const before = await countAll(connection);
      const { answer, outages } = await insist(() => call.send(made));
      const wasDone = outages > 0 && call.doneBefore !== undefined && answer.text.includes(call.doneBefore);
      expect([name, answer.text, isDone(answer) || wasDone]).toEqual([name, answer.text, true]);
      const effect = added(before, await countAll(connection));
      const held = await call.holds?.(made);
      expected ??= { effect, held };
      const { effect: once } = expected;
      const possible = call.repeats
        ? Array.from({ length: outages + 1 }, (_, more) => times(once, more + 1))
        : [once];
      expect({ name, outages, possible, effect }).toEqual({
        name,
        outages,
        possible: expect.arrayContaining([effect]),
        effect,
      });
      expect([name, held]).toEqual([name, expected.held]);
    },
  });
  expect(Math.min(struck['reset before'], struck['reset after'], struck['not primary'])).toBeGreaterThan(0);
}
