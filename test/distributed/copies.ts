import type { Case } from '../contract/fixture.ts';
import { ofCopy } from '../support/partner-tenants.ts';

/** How often a case can be run that has tenants, ids or a key to itself. */
export const COPIES = 9;

/** Ids that cases name letter by letter, as the documents do or because their letters matter. */
const IDS = /(?:corr-1|AB12cd34|CaSe1234|(?:E|%45)sc(?:1|%31)2cd3|Own12cd3)(?!\w)/gi;
/** The `Idempotency-Key` of one character, and those that its copies have. */
const SHORTEST_KEYS = "!#$%&'()*";

/**
 * The case as it is run for the nth time, from 1, on the same database: with tenants, ids and a key of its own where it names
 * such; otherwise the case itself.
 * @throws RangeError when it has been run {@link COPIES} times
 */
export function inCopy(nth: number, one: Case): Case {
  const steps = one.steps.map((step) => {
    const { headers = {}, body, path, method } = step.request;
    const changed = Object.entries(headers).map(([name, value]) => [name, headerOf(nth, name, value)]);
    const request = {
      method,
      path: textOf(nth, path),
      headers: Object.fromEntries(changed) as Record<string, string>,
      ...(body !== undefined && { body: textOf(nth, String(body)) }),
    };
    const webhooks = step.webhooks.map(({ event, body: text }) => ({ event, body: textOf(nth, text) }));
    return { ...step, request, body: textOf(nth, step.body), webhooks };
  });
  if (JSON.stringify(steps) === JSON.stringify(one.steps)) {
    return one;
  }
  if (nth > COPIES) {
    throw new RangeError(`${one.file}: ${one.title}: cannot be run ${nth} times`);
  }
  return { ...one, steps };
}

/** Whether each run of a case needs another copy. */
export function isForOneRun(one: Case): boolean {
  return inCopy(2, one) !== one;
}

function textOf(nth: number, text: string): string {
  const last = nth === 1 ? '' : String.fromCharCode('a'.charCodeAt(0) + nth - 1);
  return ofCopy(nth, text).replaceAll(IDS, (id) => (last ? `${id.slice(0, -1)}${last}` : id));
}

function headerOf(nth: number, name: string, value: string): string {
  return name === 'Idempotency-Key' && value === SHORTEST_KEYS[0]
    ? String(SHORTEST_KEYS[nth - 1])
    : textOf(nth, value);
}
