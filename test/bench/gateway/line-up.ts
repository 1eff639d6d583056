import { writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { LoadedServer } from '../processes.ts';
import { CONTESTANTS, type Contestant, type Setting } from './contestants.ts';
import { QUERIES } from './queries.ts';
import { sendDocument } from './requests.ts';

/** A contestant that runs. */
export interface Running {
  readonly contestant: Contestant;
  readonly server: LoadedServer;
}

/** The measured contestants, and the others. */
export interface LineUp {
  readonly running: readonly Running[];
  readonly missing: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Starts all contestants and has each answer every query: `data` must equal the monolith's, without an error. A contestant that does not
 * start is missing. `stops` gets the parts to stop, also when this throws.
 *
 * @throws when an answer is another one: nothing comparable would be measured.
 */
export async function startAll(setting: Setting, stops: (() => Promise<void>)[]): Promise<LineUp> {
  const running: Running[] = [];
  const missing: { name: string; reason: string }[] = [];
  let expected: Record<string, unknown> | undefined;
  for (const contestant of CONTESTANTS) {
    const server = await contestant.start(setting).catch((error: Error) => {
      missing.push({ name: contestant.name, reason: error.message });
      return undefined;
    });
    if (server === undefined) {
      continue;
    }
    stops.push(server.stop);
    const texts = await answersOf(server);
    if (contestant.id === 'monolith') {
      expected = dataOf(texts, contestant);
      writeFileSync(setting.answers, JSON.stringify(texts));
    } else if (!isDeepStrictEqual(dataOf(texts, contestant), expected)) {
      throw new Error(`${contestant.name} answers other data than the monolith`);
    }
    running.push({ contestant, server });
  }
  return { running, missing };
}

async function answersOf(server: LoadedServer): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const query of Object.values(QUERIES)) {
    texts[query] = (await sendDocument(server, JSON.stringify({ query }))).text;
  }
  return texts;
}

function dataOf(texts: Readonly<Record<string, string>>, { name }: Contestant): Record<string, unknown> {
  const data = Object.entries(texts).map(([query, text]) => {
    const answer = JSON.parse(text) as { data?: unknown; errors?: unknown };
    if (answer.errors !== undefined || !answer.data) {
      throw new Error(`${name} answers with errors: ${text.slice(0, 300)}`);
    }
    return [query, answer.data];
  });
  return Object.fromEntries(data);
}
