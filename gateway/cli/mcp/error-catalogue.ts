import { CATALOGUE } from '../../../subgraphs/kernel/errors/catalogue.ts';
import { keysOf } from '../../../subgraphs/kernel/objects.ts';
import { CATALOGUE_WORDS } from '../../build/docs/errors/catalogue-words.ts';
import { GRAPHQL_WORDS } from '../../build/docs/errors/graphql-words.ts';
import { CLIENT_WORDS, CLOSE_WORDS, WEBHOOK_WORDS } from '../../build/docs/errors/live-words.ts';
import type { ErrorWords } from '../../build/docs/errors/words.ts';

/** An error as the page of errors describes it. */
interface ErrorEntry {
  readonly code: string;
  /** Where it comes: surfaces with their HTTP status, or the part of the product. */
  readonly where: readonly string[];
  readonly cause: string;
  readonly fix: string;
}

/** Every error of the page of errors. A code may come in several parts of the product. */
export function errorEntries(): ErrorEntry[] {
  return [
    ...keysOf(CATALOGUE).map((code) => {
      const { status, message } = CATALOGUE[code];
      const where = Object.entries(status).map(([surface, number]) => `${surface} ${number}`);
      return entryOf(code, where, { cause: message, ...CATALOGUE_WORDS[code] });
    }),
    ...Object.entries(GRAPHQL_WORDS).map(([code, { status, message, ...words }]) =>
      entryOf(code, [status === undefined ? 'graphql' : `graphql ${status}`], { cause: message, ...words }),
    ),
    ...entriesOf('remitgraph/client', CLIENT_WORDS),
    ...entriesOf('WebSocket close', CLOSE_WORDS),
    ...entriesOf('verifyWebhook', WEBHOOK_WORDS),
  ];
}

function entriesOf(where: string, words: Readonly<Record<string | number, ErrorWords>>): ErrorEntry[] {
  return Object.entries(words).map(([code, entry]) => entryOf(code, [where], entry));
}

function entryOf(code: string, where: readonly string[], { cause = '', fix }: ErrorWords): ErrorEntry {
  return { code, where, cause, fix };
}
