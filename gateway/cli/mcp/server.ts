import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { productVersion } from '../../../subgraphs/kernel/product-version.ts';
import { GraphError } from '../../console/graph.ts';
import type { ReadGraph } from './documents.ts';
import { errorEntries } from './error-catalogue.ts';
import { dataResult, failure, NOTICE, ownResult } from './marked-data.ts';
import { findPayment, PAYMENT_KINDS } from './payments.ts';
import { MOST_ENTRIES, readTimelinePage, TIMELINE_CURSOR } from './timeline-page.ts';
import { COUNTED, readTotals } from './totals.ts';
import { MOST_ATTEMPTS, readWebhook } from './webhook-attempts.ts';

export interface McpDeps {
  readonly graph: ReadGraph;
  /** Whether the timeline of a webhook has the receiver's answers. */
  readonly withAnswers: boolean;
}

/** How long a tool waits for the server, milliseconds. */
const TIMEOUT_MS = 30_000;

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const INSTRUCTIONS = `Reads the payments and webhooks of one partner of a remittance platform. Nothing can be changed. Begin with the tool find. ${NOTICE}`;

const idSchema = z
  .string()
  .min(1)
  .max(255)
  .describe('Its id, referenceId or correlationId, as find gives it.');

/**
 * A server of the Model Context Protocol with the read-only tools. Each name, description and schema is a constant of this program: no text of
 * a partner, a payer or a receiver gets into it.
 */
export function createMcpServer(deps: McpDeps): McpServer {
  const server = new McpServer(
    { name: 'remitgraph', version: productVersion() },
    { instructions: INSTRUCTIONS },
  );
  addFind(server, deps);
  addVerdict(server, deps);
  addTimeline(server, deps);
  addTotals(server, deps);
  addErrorCatalogue(server);
  return server;
}

function addFind(server: McpServer, { graph }: McpDeps): void {
  server.registerTool(
    'find',
    {
      title: 'Find records',
      description:
        'Finds up to 20 records by an exact key: an id, reference, support code, Idempotency-Key, x-request-id, URL, phone number, email, or whole words of a name.',
      inputSchema: { text: z.string().min(1).max(255).describe('The key.') },
      annotations: READ_ONLY,
    },
    ({ text }, { signal }) =>
      answer(signal, async (limited) => {
        const { search } = await graph.run('search', { text }, limited);
        return dataResult({
          matches: search.map(({ matchedBy, node: { ...found } }) => ({ matchedBy, ...found })),
        });
      }),
  );
}

function addVerdict(server: McpServer, { graph }: McpDeps): void {
  server.registerTool(
    'verdict',
    {
      title: 'State of a payment',
      description:
        'The present state of one payment: its fields, what holds it up or ended it (cause), and until when somebody must act (actBy). payment is null if there is none.',
      inputSchema: {
        kind: z.enum(PAYMENT_KINDS).describe('The __typename that find gives.'),
        id: idSchema,
        language: z.enum(['EN', 'ES']).default('EN').describe('Language of the summary.'),
        timeZone: z.string().max(64).default('UTC').describe('IANA time zone of times in the summary.'),
      },
      annotations: READ_ONLY,
    },
    ({ kind, id, language, timeZone }, { signal }) =>
      answer(signal, async (limited) => {
        const payment = await findPayment(graph, { kind, id }, limited);
        if (payment === undefined) {
          return dataResult({ payment: null, verdict: null });
        }
        const variables = { nodeId: payment.nodeId, language, timeZone };
        const { node } = await graph.run('verdict', variables, limited);
        return dataResult({
          payment: payment.fields,
          verdict: node && 'verdict' in node ? node.verdict : null,
        });
      }),
  );
}

function addTimeline(server: McpServer, { graph, withAnswers }: McpDeps): void {
  server.registerTool(
    'timeline',
    {
      title: 'Timeline',
      description: `The history, oldest first: of a payment up to ${MOST_ENTRIES} entries and its current problems, of a WebhookDelivery its ${MOST_ATTEMPTS} newest attempts. Call it again with nextCursor for later entries. entries is null if there is no such record.`,
      inputSchema: {
        kind: z.enum([...PAYMENT_KINDS, 'WebhookDelivery']).describe('The __typename that find gives.'),
        id: idSchema,
        cursor: z.string().regex(TIMELINE_CURSOR).optional().describe('nextCursor of the answer before.'),
      },
      annotations: READ_ONLY,
    },
    ({ kind, id, cursor }, { signal }) =>
      answer(signal, async (limited) => {
        if (kind === 'WebhookDelivery') {
          return dataResult((await readWebhook(graph, { id, withAnswers }, limited)) ?? { entries: null });
        }
        const payment = await findPayment(graph, { kind, id }, limited);
        return dataResult(
          payment
            ? { ...(await readTimelinePage(graph, payment.nodeId, cursor, limited)) }
            : { entries: null },
        );
      }),
  );
}

function addTotals(server: McpServer, { graph }: McpDeps): void {
  const time = z.iso.datetime().optional();
  server.registerTool(
    'totals',
    {
      title: 'Totals',
      description:
        'Counts records by status: all statuses of operations and money_requests; IN_PROGRESS and FAILED of remittances; PENDING, DEAD_LETTERED and PAUSED of webhooks.',
      inputSchema: {
        of: z.enum(COUNTED),
        from: time.describe('Only records created at this time or later, such as 2026-01-31T00:00:00Z.'),
        to: time.describe('Only records created before this time.'),
      },
      annotations: READ_ONLY,
    },
    ({ of, from, to }, { signal }) =>
      answer(signal, async (limited) =>
        dataResult({ totals: await readTotals(graph, of, { from, to }, limited) }),
      ),
  );
}

function addErrorCatalogue(server: McpServer): void {
  server.registerTool(
    'error_catalogue',
    {
      title: 'Error codes',
      description: 'Cause and fix of an error code, or the list of all codes.',
      inputSchema: { code: z.string().max(64).optional().describe('The code; all codes when absent.') },
      annotations: READ_ONLY,
    },
    ({ code }) => {
      const entries = errorEntries();
      return code === undefined
        ? ownResult({ codes: [...new Set(entries.map((entry) => entry.code))] })
        : ownResult({ errors: entries.filter((entry) => entry.code === code) });
    },
  );
}

/** Runs a tool within its time; errors of the server become its answer. */
async function answer(
  signal: AbortSignal,
  read: (signal: AbortSignal) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await read(AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (error instanceof GraphError) {
      return failure(error.code, error.message, error.requestId);
    }
    if (timeout.aborted) {
      return failure('TIMEOUT', `The server has not answered within ${TIMEOUT_MS / 1_000} s.`);
    }
    throw error;
  }
}
