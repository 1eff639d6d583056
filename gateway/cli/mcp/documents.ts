import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordOf } from '../../../subgraphs/kernel/objects.ts';
import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import type { DocumentName } from '../../console/graph.ts';
import { createGraph, type Graph } from '../../console/graph.ts';
import { documentHash } from '../../http/documents/document-hash.ts';
import { graphUrlOf } from '../server-url.ts';

/** The documents of the console that the tools run. All are queries, so nothing that changes anything can be reached. */
export const READ_DOCUMENTS = [
  'search',
  'operation',
  'moneyRequest',
  'remittance',
  'reservation',
  'verdict',
  'timeline',
  'delivery',
  'operationCounts',
  'moneyRequestCounts',
  'remittanceCounts',
  'deliveryCounts',
] as const satisfies readonly DocumentName[];

export type ReadDocument = (typeof READ_DOCUMENTS)[number];
/** Runs these documents, and no others. */
export type ReadGraph = Graph<ReadDocument>;

interface ReadGraphOptions {
  /** Where the server is. */
  readonly url: URL;
  /** The API key of a partner. */
  readonly key: string;
  readonly fetch: typeof fetch;
}

/**
 * Reads from a server by the hashes of its trusted documents: it never sends the text of one.
 * @throws Error if a file of a document is missing
 */
export function createReadGraph({ url, key, fetch: send }: ReadGraphOptions): ReadGraph {
  return createGraph<ReadDocument>({
    url: graphUrlOf(url),
    hashes: recordOf(READ_DOCUMENTS, (name) => documentHash(readDocument(name))),
    fetch: send,
    headers: () => ({ 'x-api-key': key }),
    // The error of the call says so.
    onSignedOut: () => undefined,
  });
}

/** The text of a document. */
export function readDocument(name: ReadDocument): string {
  return readFileSync(join(projectRoot(), 'gateway', 'console', 'documents', `${name}.graphql`), 'utf8');
}
